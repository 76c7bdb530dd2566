"""The kinds of moves: what each does, or why it is not possible."""

from backroom.games.medici import rules
from backroom.games.medici.cards import INFLUENCE, LADY, MINISTER, RANKS, rank_word
from backroom.games.medici.table.turn import Turn
from backroom.scenes.scene import Choice, Emblem

__all__ = ["choices"]

DRAWINGS = {"conspire": "swords", "ally": "people", "send": "arrow", "plan": "hourglass"}


def choices(at: Turn) -> list[Choice]:
    """The kinds of moves of the viewer, who decides now."""
    if at.phase == rules.PLAY:
        return _plays(at)
    if at.phase == rules.PUT:
        return [_put(action - rules.PUT_FIRST) for action in at.legal]
    return _answers(at)


def _put(rank: int) -> Choice:
    order = f"order value {INFLUENCE[rank]}"
    return Choice(f"The {rank_word(rank)}", order, f"put {RANKS[rank]}", emblem=Emblem("hand-card"), half=True)


def _answers(at: Turn) -> list[Choice]:
    struck, found = at.struck(), []
    for card, typed in at.savable().items():
        noble = at.noble(card)
        if at.guarding:
            title, effect, drawing = f"Guard {noble}", "the Bodyguard is spent", "defence"
        else:
            effect = f"{at.fringe_word} goes, {noble} is your fringe card"
            title, drawing = f"Scapegoat for {noble}", "swap"
        found.append(Choice(title, effect, typed, emblem=Emblem(drawing)))
    if at.guarding:
        fate = f"{struck} is {'demoted' if at.demotes else 'discarded'}"
        return [*found, Choice("No guard", fate, "noguard", emblem=Emblem("arrow"))]
    return [*found, Choice("No scapegoat", f"{struck} is discarded", "noscapegoat", emblem=Emblem("cross"))]


def _plays(at: Turn) -> list[Choice]:
    deed = at.deed
    card = f" {RANKS[deed.rank]}" if deed.rank >= 0 else ""
    stack = f" > {at.stack(deed.onto)}" if card and deed.onto >= 0 else ""
    words = {"conspire": card + stack, "ally": card + stack, "send": card, "plan": card}
    found = []
    for verb, drawing in DRAWINGS.items():
        tries = [at.draft.text] if deed.verb == verb else [verb + words[verb], verb + card]
        begins = next((text for text in tries if at.draft.settle(text)), "")
        effect = _effect(at, verb) if begins else _why_not(at, verb)
        found.append(Choice(verb.capitalize(), effect, begins, emblem=Emblem(drawing)))
    return found


def _effect(at: Turn, verb: str) -> str:
    if verb == "conspire":
        weaker = "a weaker one" if at.fringe else "one of equal worth"
        return _steps(at) if at.deed.verb == verb else f"add a card to a stack, strike {weaker}"
    if verb == "ally":
        return {
            LADY: "the whole stack falls apart",
            MINISTER: "all others of the stack are eliminated",
            -1: "on top of any stack; Minister and Lady act",
        }.get(at.deed.rank, "on top of any stack")
    return "alone to the Outer Court" if verb == "send" else "face down under your deck"


def _why_not(at: Turn, verb: str) -> str:
    if verb == "plan":
        return "you have no deck left"
    if verb == "ally":
        return "no stack is at court"
    return "nothing at court is weaker" if at.fringe else "no two stacks could be equal"


def _steps(at: Turn) -> str:
    deed = at.deed
    card = rank_word(deed.rank) if deed.rank >= 0 else "card?"
    joins = f"joins {at.stack(deed.onto)}" if deed.onto >= 0 else "joins?"
    return f"{card}, {joins}, against{f' {at.said_target()}' if deed.aims else '?'}"
