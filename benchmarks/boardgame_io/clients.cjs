// Three clients of one match: they say when all are there; then for each number sent so many moves are made, each of
// which all three have been told of before the next, and that is said.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const game = require("./game.cjs");
const server = `http://127.0.0.1:${process.argv[2]}`;
const match = `match-${process.pid}`;
const clients = ["0", "1", "2"].map((playerID) =>
  Client({ game, numPlayers: 3, matchID: match, playerID, multiplayer: SocketIO({ server }), debug: false }),
);
const told = clients.map(() => -1);
let check = () => {};
clients.forEach((client, seat) => {
  client.subscribe((state) => {
    if (state) told[seat] = state._stateID;
    check();
  });
  client.start();
});
const until = (wanted) =>
  new Promise((done) => {
    check = () => wanted() && done();
    check();
  });

(async () => {
  await until(() => told.every((id) => id >= 0));
  console.log("ready");
  for await (const line of require("readline").createInterface({ input: process.stdin })) {
    for (let move = 0; move < Number(line); move++) {
      const state = clients[0].getState();
      const before = state._stateID;
      clients[Number(state.ctx.currentPlayer)].moves.take(move % 8);
      await until(() => told.every((id) => id > before));
    }
    console.log("done");
  }
  process.exit();
})();
