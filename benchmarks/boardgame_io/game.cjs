// A game of the size of ours for boardgame.io: four kinds of cards, hidden hands, a market of eight; a turn takes one.
const { PlayerView } = require("boardgame.io/core");

module.exports = {
  name: "market",
  setup: ({ ctx, random }) => {
    const deck = random.Shuffle(Array.from({ length: 60 }, (_, i) => ({ kind: "SRDM"[i % 4], id: i })));
    const players = {};
    for (let seat = 0; seat < ctx.numPlayers; seat++) players[seat] = { hand: deck.splice(0, 6) };
    return { secret: { deck }, players, market: deck.splice(0, 8), discards: [], points: Array(ctx.numPlayers).fill(0) };
  },
  playerView: PlayerView.STRIP_SECRETS,
  moves: {
    take: {
      client: false, // the deck is the server's secret
      move: ({ G, playerID }, at) => {
        const hand = G.players[playerID].hand;
        hand.push(G.market.splice(at, 1)[0]);
        G.discards.push(hand.shift());
        if (!G.secret.deck.length) G.secret.deck = G.discards.splice(0);
        G.market.push(G.secret.deck.pop());
        G.points[playerID] += 1;
      },
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
};
