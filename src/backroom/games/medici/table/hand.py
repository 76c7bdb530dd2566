"""The viewer's hand and own fringe card, and what a card put back on the deck is for."""

from typing import Any

from backroom.engine.record import SPECTATOR
from backroom.games.medici import rules
from backroom.games.medici.cards import RANK_COUNT, RANKS, rank_of, rank_word
from backroom.games.medici.table.attack import fate
from backroom.games.medici.table.seen import capital
from backroom.games.medici.table.turn import Turn
from backroom.text.english import listed

__all__ = ["fates_of_put", "hand", "own_fringe"]


def hand(at: Turn) -> list[dict[str, Any]]:
    """The cards in hand by rank, each with the text after a click on it; those just drawn last, as they came."""
    if at.seat == SPECTATOR:
        return []
    found: list[dict[str, Any]] = []
    for card in at.counted(at.seat, at.view.hand[at.seat]):
        rank = rank_of(card)
        place = sum(it["face"].card == card for it in found)
        found.append(
            {
                "face": at.face(card),
                "key": f"{RANKS[rank]}-{place}",
                "click": at.click_hand(rank),
                "chosen": place == 0 and rank == at.deed.rank,
                "cannot": at.playing and not rules.within_limit(at.view, at.seat, rank),
                "drawn": False,
            }
        )
    for card in at.view.drawn[at.seat].tolist():
        if card:
            last = max(i for i, it in enumerate(found) if it["face"].rank == RANKS[card - 1] and not it["drawn"])
            it = found.pop(last)
            face = it["face"]._replace(name=f"{it['face'].name}, just drawn")
            found.append(it | {"face": face, "drawn": True})
    return found


def own_fringe(at: Turn) -> dict[str, Any]:
    """The viewer's own fringe card, as its owner knows it; empty where there is none."""
    view, seat = at.view, at.seat
    if seat == SPECTATOR or not (at.fringe or view.fringe_up[seat]):
        return {}
    place, card = int(view.fringe_place[seat]), at.fringe_card
    title = {
        rules.FACE_UP: "Fringe card, face up",
        rules.FACE_DOWN: "Next fringe card, face down",
        rules.PERMANENT: "Permanent fringe card" if at.fringe else "Your last card, laid aside",
        rules.NO_FRINGE: "Next fringe card" if at.putting else "No fringe card",
    }[place]
    return {
        "title": title,
        "drawn": at.face(card) if card else None,
        "down": place == rules.FACE_DOWN,
        "open": place == rules.NO_FRINGE and at.putting,
    }


def fates_of_put(at: Turn) -> list[dict[str, Any]]:
    """What the card that is put back will do, and what the others know of it."""
    rank = at.deed.rank
    title = f"{capital(rank_word(rank))}, next round" if rank >= 0 else "Next round"
    bid = "High fringe cards play first. It is drawn again on your turn, and can be a scapegoat till then."
    known = [rank_word(it) for it in range(RANK_COUNT) if at.view.known[at.seat, it]]
    seen = f"All saw the {listed(known)} go to your hand. " if known else ""
    return [
        fate(at, title, bid, "flag") | {"on": rank >= 0},
        fate(at, "What others know", f"{seen}What you put back, nobody sees.", "eye"),
    ]
