// boardgame.io's server, which says what it has used: its port, then seconds of the processor for each line it is sent.
const { Server, Origins } = require("boardgame.io/server");
const server = Server({ games: [require("./game.cjs")], origins: [Origins.LOCALHOST] });
console.info = () => {};
server.run({ port: 0 }).then(({ appServer }) => {
  console.log(appServer.address().port);
  require("readline")
    .createInterface({ input: process.stdin })
    .on("line", () => {
      const { user, system } = process.cpuUsage();
      console.log((user + system) / 1e6);
    })
    .on("close", () => process.exit());
});
