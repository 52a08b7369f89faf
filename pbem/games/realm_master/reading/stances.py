"""Attacking, entering, staying and leaving, as lines of a plan (rules, section 12)."""

from engine.realm_master import conditions as c
from engine.realm_master import orders as o
from pbem.games.realm_master.reading.parts import LOSS, TOKENS, NotRead, PlanPart, hero_of
from pbem.games.realm_master.reading.position import Draft, Position
from pbem.games.realm_master.reading.words import lands_by_name

_LOSING = ("drop", "fall", "sink", "go")
"""What hearts do when somebody hits: `if my hearts drop below 4`."""
_ENDS = frozenset({"yes", "no", "stay", "leave", "lose", o.NOWHERE})
"""After one of these that always counts nothing else is ever done."""
_MOMENTS = {"hit": "hit", "smoke": "hit", "realm": "realm", "ultimatum": "ultimatum"}
"""What stay and leave are said of while a question is open."""
_STANCES = {"STAY": "stay", "LEAVE": "leave"}
_OPPOSITES = {"stay": "leave", "leave": "stay", "lose": "leave"}


def attack(draft: Draft, position: Position) -> list[o.Order]:
    choices: list[o.Choice] = []
    for part, when in draft.parts:
        heroes = part.of("HERO", "WHO")
        if heroes and len(part.things) == len(heroes) == 1:
            return [o.AttackOne(hero_of(heroes[0], position.heroes))]
        if part.things and not part.says_only("NOTHING", "ALL", "BOTH", "ANY"):
            raise NotRead("not-understood", part.verb)
        if "ONLY" in part.flags and not when:  # `only attack`: and what not?
            raise NotRead("not-understood", part.verb)
        no = bool(part.of("NOTHING")) or "NOT" in part.flags
        choices.append(o.Choice("no" if no else "yes", when))
    _need_ways(choices, draft)
    if choices[-1].when:
        choices.append(o.Choice("yes" if choices[-1].word == "no" else "no"))
    return [o.Choose("attack", tuple(choices), draft.always)]


def enter_lands(draft: Draft, position: Position) -> list[o.Order]:
    choices: list[o.Choice] = []
    for part, when in draft.parts:
        words = _lands(part)
        if part.kind == "STAYOUT" and words:
            raise NotRead("not-understood", part.verb)
        if part.kind == "STAYOUT" or "NOT" in part.flags:
            words = [o.NOWHERE]
        if (
            not words
            or ("NOT" in part.flags and part.of("LAND", "BEST", "CHEAPEST"))
            or ("ONLY" in part.flags and len(draft.parts) > 1)
        ):
            raise NotRead("not-understood", part.first)
        choices += [o.Choice(word, when) for word in words]
    _need_ways(choices, draft)
    return [o.Enter(tuple(choices), draft.always)]


def _need_ways(choices: list[o.Choice], draft: Draft) -> None:
    """NotRead where something is said after a choice that always counts: `attack, no`."""
    if any(choice.word in _ENDS and not choice.when for choice in choices[:-1]):
        raise NotRead("not-understood", draft.parts[-1][0].first)


def _lands(part: PlanPart) -> list[str]:
    words: list[str] = []
    for phrase in part.things:
        lexeme = phrase.lexemes[0]
        match lexeme.kind:
            case "LAND":
                words.append(lands_by_name()[lexeme.text])
            case "BEST" | "CHEAPEST":
                words.append(o.BEST if lexeme.kind == "BEST" else o.CHEAPEST)
            case "NOTHING":
                words.append(o.NOWHERE)
            case "REALM" | "ANY":
                continue
            case _:
                raise NotRead("not-understood", lexeme)
    return words


def stance(draft: Draft, position: Position) -> list[o.Order]:
    """Stay, leave, move, bleed: when hit, in the own turn, or at an ultimatum. Where the words name
    none, stay and leave count for the first two; for a hit alone, this once, if the hero is outside
    the Realm.
    """
    choices: list[o.Choice] = []
    moment: str = draft.moment or _MOMENTS.get(position.stage or "", "")
    for part, when in draft.parts:
        loses = part.kind == "BLEED" or (part.kind == "TAKEIT" and position.yields)
        if part.kind == "ULTIMATUM" or (loses and not moment):
            moment = "ultimatum"
        moment = moment if moment == "ultimatum" else _moment_of(part, when) or moment
        if not moment and part.kind in _STANCES and part.of("LAND"):
            moment = "realm"  # `stay in Jerum`: a blow is stood, a land is stayed in
        if not moment and position.yields and part.kind in _STANCES and not when:
            moment = "ultimatum"  # `I stay!`, to the card that asks for hearts
        word = _stance_word(part, when, position)
        if when and not word:
            raise NotRead("not-understood", part.verb)
        choices += [o.Choice(word, when)] if word else []
    if not choices:
        raise NotRead("not-understood")
    if moment == "ultimatum":  # `take the damage, I stay`
        said = [choice.word.replace("stay", "lose") for choice in choices]
        twice = len(said) > 1 and len({*said}) == 1 and not any(x.when for x in choices)
        choices = choices[:1] if twice else choices
    _need_ways(choices, draft)
    if choices[-1].when and choices[-1].word in _OPPOSITES and draft.is_limited:
        choices.append(
            o.Choice(_OPPOSITES[choices[-1].word])
        )  # `stay unless ...` says what to do else, too
    if moment == "ultimatum":
        words = {"stay": "lose", "leave": "leave", "lose": "lose"}
        if any(choice.word not in words for choice in choices):
            raise NotRead("not-understood")
        told = tuple(o.Choice(words[choice.word], choice.when) for choice in choices)
        return [o.Choose("ultimatum", told, draft.always)]
    if any(choice.word == "lose" for choice in choices):
        raise NotRead("not-understood")
    orders: list[o.Order] = []
    if moment != "realm":
        orders.append(o.Choose("hit", tuple(choices), draft.always))
    if moment == "realm" or (not moment and (position.at is not None or draft.always)):
        orders.append(o.Realm(tuple(choices), draft.always))
    return orders


def _moment_of(part: PlanPart, when: c.When) -> str:
    """When a part is about, if its words say it."""
    asked = [question for every in when for question in every]
    if "WHENHIT" in part.flags and part.kind != "MOVE":
        return "" if "OWNTURN" in part.flags else "hit"
    if (
        "OWNTURN" in part.flags
        or part.kind in ("MOVE", "ENTER")
        or any(isinstance(question, c.OnLand) for question in asked)
    ):
        return "realm"
    if any(isinstance(question, c.AttackedBy) or _is_damage(question) for question in asked):
        return "hit"
    return (
        "hit"
        if any(phrase.lexemes[0].text.startswith(_LOSING) for phrase in part.condition)
        else ""
    )


def _is_damage(question: c.Question) -> bool:
    return isinstance(question, c.Amount) and question.of == "damage"


def _stance_word(part: PlanPart, when: c.When, position: Position) -> str:
    """`stay`, `leave`, `lose`, or the land to move to; nothing for a mere heading."""
    numbers = [phrase.lexemes[0].value for phrase in part.things if phrase.kind == "number"]
    if part.kind == "BLEED" and part.things and numbers[:1] == [LOSS]:  # `lose 4 hearts`
        return "lose"
    rest = [phrase for phrase in part.things if phrase.lexemes[0].kind not in TOKENS]
    lands = _lands(PlanPart(part.verb, part.flags, rest))
    asked = {x.land for every in when for x in every if isinstance(x, c.OnLand)}
    elsewhere = part.kind in ("STAY", "LEAVE") and lands and lands[0] != position.at
    if elsewhere and (part.kind == "LEAVE" or lands[0] not in asked):
        raise NotRead(
            "not-understood", part.of("LAND")[0]
        )  # `stay in Jerum` of a hero who is not there
    stays_for = part.verb and (part.verb.text.endswith("for") or "ARE" in part.flags)
    if (part.of(*TOKENS) and not stays_for) or len(lands) > 1:
        raise NotRead("not-understood", part.verb)
    match part.kind:
        case "MOVE" | "ENTER":
            if not lands or lands[0] == o.NOWHERE or "NOT" in part.flags:
                raise NotRead("not-understood", part.verb)
            return lands[0]
        case "STAY" | "LEAVE":
            if "NOT" in part.flags and not position.stage and not position.yields:
                timed = when or {"WHENHIT", "OWNTURN"} & {*part.flags}
                if not timed and part.verb is not None and part.verb.text.endswith("ing"):
                    raise NotRead("not-understood", part.verb)  # `I am not leaving Saltmere`
            return (
                _STANCES[part.kind]
                if "NOT" not in part.flags
                else "leave"
                if part.kind == "STAY"
                else "stay"
            )
        case "BLEED" if "NOT" not in part.flags:
            return "lose"
        case "TAKEIT" if position.yields and not part.things and "NOT" not in part.flags:
            return "lose"  # `leave if ..., otherwise I take it`
        case "ULTIMATUM" if not part.things and "NOT" not in part.flags:
            return ""
        case "" if lands and lands[0] != o.NOWHERE:
            return lands[0]
    raise NotRead("not-understood", part.verb)
