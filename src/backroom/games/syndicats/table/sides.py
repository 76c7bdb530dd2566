"""The sides of the starting cards, where each player chooses them."""

from backroom.games.syndicats import rules
from backroom.games.syndicats.cards import CAT, HELD, HOUSE, KITTEN, LAIR
from backroom.games.syndicats.positions import SIDE_WORDS
from backroom.games.syndicats.table.board import Half, Offer
from backroom.games.syndicats.table.faces import face
from backroom.games.syndicats.table.seen import Seen

__all__ = ["starting"]


def starting(at: Seen) -> list[Offer]:
    """The viewer's kitten and lair with both sides of each; none in another phase, and for a watcher."""
    if at.phase != rules.SETUP or at.watching:
        return []
    sealed = int(at.view.start_choice[at.seat]) - 1
    chosen: list[str] = []
    if at.verb == "start" and len(at.typed) == 3:
        chosen = at.typed[1:]
    elif sealed >= 0:
        chosen = [SIDE_WORDS[sealed & 1], SIDE_WORDS[sealed >> 1]]
    found = []
    for which, (number, side) in enumerate(((KITTEN + at.seat, CAT), (LAIR + at.seat, HOUSE))):
        if at.view.place[number] < HELD:
            continue
        halves = []
        for custom, word in enumerate(SIDE_WORDS):
            words = list(chosen or (SIDE_WORDS[0], SIDE_WORDS[0]))
            words[which] = word
            text = " ".join(["start", *words]) if at.playing else ""
            halves.append(Half(face(at.deck, number, side, custom), word, text, bool(chosen) and chosen[which] == word))
        found.append(Offer(at.id(number), tuple(halves), 0, False))
    return found
