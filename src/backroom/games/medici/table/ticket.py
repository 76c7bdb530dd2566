"""The ticket: whose move it is, the kinds of moves and what each does, and the move in preparation in words."""

from backroom.engine.record import SPECTATOR
from backroom.games.medici import rules
from backroom.games.medici.cards import INFLUENCE, LADY, MINISTER, RANKS, rank_word
from backroom.games.medici.table.seen import PLACES, Seen, capital
from backroom.games.medici.table.turn import Turn
from backroom.scenes.scene import Choice, Emblem
from backroom.text.english import listed

__all__ = ["aim", "choices", "commit", "hint", "instead", "missing", "say", "ticket"]


def aim(at: Seen) -> str:
    """The game and how far it is."""
    turn = int(at.view.turn)
    return f"Fringe Powers, round {max(turn - 1, 0) // len(at.seats) + 1}" if at.fringe else f"turn {turn}"


def ticket(at: Seen) -> tuple[str, str]:
    """Heading and sentence; empty: the words that all games share."""
    if at.over or at.seat == SPECTATOR:
        return "", ""
    if not at.draft.acting:
        return "", _waiting(at)
    who, own = at.names[at.active], at.active == at.seat
    if at.phase == rules.GUARD:
        strikes = "Your conspiracy strikes" if own else f"{who} strikes"
        return "Your Bodyguard", f"{strikes} at {at.struck()}. Spend the Bodyguard?"
    if at.phase == rules.SCAPEGOAT:
        subject = "You would" if own else f"{who} would"
        return "A scapegoat?", f"{subject} discard {at.struck()}. Your fringe card can go instead."
    if at.phase == rules.PUT:
        return "Put one back", "You drew two. One of your hand goes face down on the deck."
    return "Your turn", f"Play one card. {_who_moved(at)}".strip()


def _who_moved(at: Seen) -> str:
    if not at.fringe:
        return ""
    step = at.view.step
    before = [at.names[seat] for seat in at.order[:step]]
    after = [at.names[seat] for seat in at.order[step + 1 :]]
    moved = f"{listed(before)} {'has' if len(before) == 1 else 'have'} moved" if before else ""
    coming = f"{listed(after)} {'comes' if len(after) == 1 else 'come'} after you" if after else "you are the last"
    return f"{moved}, {coming}." if moved else f"{coming}."


def _waiting(at: Seen) -> str:
    if at.view.attack:
        return f"{at.whose(at.active, start=True)} conspiracy waits for an answer."
    if not at.fringe:
        return "You come next."
    place = at.order.index(at.seat)
    if place < at.view.step:
        return "You have played this round. All fringe cards are turned up when it is over."
    return f"You play {PLACES[place]} this round."


def say(at: Turn) -> str:
    """What the move in preparation does."""
    deed = at.deed
    if at.asked and deed.verb:
        return _say_answer(at)
    if deed.rank < 0:
        return deed.verb.capitalize() if deed.verb in ("send", "ally", "conspire", "plan") else ""
    card = f"the {rank_word(deed.rank)}"
    if deed.verb == "put":
        return f"Put {card} back, face down"
    if deed.verb == "plan":
        return f"Plan: {card} goes under your deck"
    if deed.verb == "send":
        return f"Send {card} to the Outer Court"
    if deed.onto < 0:
        return f"{deed.verb.capitalize()} with {card}"
    text = f"{deed.verb.capitalize()}: {card} joins {at.stack(deed.onto)}"
    return f"{text} against {at.said_target()}" if deed.aims else text


def _say_answer(at: Turn) -> str:
    if at.deed.verb == "guard":
        return f"Spend the Bodyguard for {at.noble(at.deed.at)}"
    if at.deed.verb == "scapegoat":
        return f"{capital(at.fringe_word)} for {at.noble(at.deed.at)}"
    return f"Let {at.struck()} {'go' if at.deed.verb == 'noscapegoat' else 'fall'}"


def missing(at: Turn) -> str:
    """What the move in preparation still lacks."""
    deed = at.deed
    if not at.draft.acting or at.draft.actions is not None or not deed.verb:
        return ""
    if deed.rank < 0:
        return "Choose a card of your hand."
    if deed.onto < 0:
        return "Choose the stack it joins."
    if not deed.aims:
        return "Choose what it strikes: what is ringed is weak enough." if at.fringe else "Choose what it strikes."
    found = at.weighed(deed)
    if at.fitting(deed) is None:
        return f"{found.value} against {found.against}: name the Jester."
    return f"{found.value} beats {found.against}, but you do not control it: single out one noble."


def commit(at: Turn) -> str:
    """The deed on the button."""
    if at.deed.verb == "scapegoat":
        return f"Give {at.fringe_word}"
    return {
        "send": "Send", "ally": "Ally", "conspire": "Conspire", "plan": "Plan it", "put": "Onto the deck",
        "guard": "Spend it", "noguard": "Let it fall", "noscapegoat": "Let it go",
    }.get(at.deed.verb, "Do it")  # fmt: skip


def instead(at: Turn) -> tuple[str, str] | None:
    """The answer that saves nobody, beside the one in preparation."""
    if not at.asked:
        return None
    return at.declined[:2]


def hint(at: Turn) -> str:
    """What can be chosen next, below the hand."""
    deed = at.deed
    if not at.playing:
        return ""
    if not deed.verb:
        limit = int(at.view.limit[at.seat])
        bound = f" Your limit is {limit}: nothing higher may be played." if limit != rules.NO_LIMIT else ""
        return f"Choose a card of your hand.{bound}"
    if deed.rank >= 0 and deed.onto < 0 and deed.verb != "conspire":
        return f"Or choose a stack, and the {rank_word(deed.rank)} joins it."
    if deed.verb == "ally" and deed.onto >= 0 and at.reach:
        return "Or choose what it strikes, of all that is ringed: then it is a conspiracy."
    return ""


# The kinds of moves

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
    _, typed, drawing = at.declined
    title, fate = (
        "No guard" if at.guarding else "No scapegoat",
        "demoted" if at.guarding and at.demotes else "discarded",
    )
    return [*found, Choice(title, f"{struck} is {fate}", typed, emblem=Emblem(drawing))]


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
