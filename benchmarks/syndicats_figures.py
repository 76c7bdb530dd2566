"""Rounds, final funds and their spread in greedy games of Syndicats: the table in docs/syndicats_figures.md.

``python -m benchmarks.syndicats_figures [GAMES of final [GAMES of each other preset]]``
"""

import sys

import numpy as np

from backroom.bots import make_bot
from backroom.bots.batch import play_games, prepare_games
from backroom.engine.game import find_game
from backroom.lab.run import simulation_options
from backroom.lab.seeds import game_keys

SEED = 1


def figures(preset: str, seats: int, games: int) -> str:
    """A row of the table: means over so many games, funds by place with their standard deviation over all players."""
    game = find_game("syndicats")
    options = simulation_options(game, seats, {"preset": preset})
    blank = game.blank(options, [f"p{seat + 1}" for seat in range(seats)])
    bot = make_bot(game, "greedy")
    prepare_games([bot], blank)
    who = np.zeros((games, seats), np.int32)
    played = play_games([bot], who, blank, game_keys(SEED, range(games)), SEED, 0)
    funds = np.sort(played.scores, axis=1)[:, ::-1]
    places = " / ".join(f"{mean:.0f}" for mean in funds.mean(axis=0))
    spread = (funds[:, 0] - funds[:, -1]).mean()
    twenties = ((funds >= 20) & (funds < 30)).any(axis=1).mean()
    inside = (funds.mean(axis=1) < 45).mean()
    low, high = np.quantile(played.turns, [0.05, 0.95])
    return (
        f"| {preset} | {seats} | {games} | {played.turns.mean():.1f} ({low:.0f}-{high:.0f}) | {places} | "
        f"{funds.std():.0f} | {spread:.0f} | {twenties:.0%} | {inside:.0%} |"
    )


def main() -> None:
    """Print the table."""
    given = [int(word) for word in sys.argv[1:]]
    final, other = [*given, *[10_000, 2_000][len(given) :]]
    for preset in find_game("syndicats").options.presets:
        for seats in range(2, 6):
            print(figures(preset, seats, final if preset == "final" else other), flush=True)


if __name__ == "__main__":
    main()
