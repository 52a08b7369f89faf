"""The parts of a sentence put together to lines of a plan, answers and deeds of Realm-Master (rules, section 12)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from msgspec.structs import replace

from engine.realm_master import conditions as c
from engine.realm_master import orders as o
from engine.realm_master.cards import CHARM, SMOKE_POT, Token
from engine.realm_master.state import Stage
from pbem.grammar.lexemes import Lexeme
from pbem.grammar.realm_master_parts import FACES, TOKENS, NotRead, Part, hero_of, when_of
from pbem.grammar.realm_master_words import cards_by_name, lands_by_name

_FACE_KINDS = tuple(FACES)
_STANCES = {"STAY": "stay", "LEAVE": "leave", "MOVE": "move", "BLEED": "lose"}
GROUPS = {
    "REROLL": "reroll", "KEEP": "reroll", "ATTACK": "attack", "STAY": "stance", "LEAVE": "stance", "MOVE": "stance", "BLEED": "stance",
    "ENTER": "enter", "STAYOUT": "enter", "BUY": "buy", "PLAY": "play", "REVEAL": "reveal", "TAKEIT": "reveal", "COVER": "reveal",
    "TRIBUTE": "tribute", "TRADE": "life", "LOOT": "loot", "WANT": "hero", "ULTIMATUM": "stance", "SAVE": "save",
}  # fmt: skip


_COMMON = frozenset({"ALWAYS", "ELSE", "THEN", "ARE", "TO", "NOW", "CAN"})
_FLAGS = {
    "reroll": frozenset({"NOT", "ONLY", "EXCEPT", "TWICE", "SECOND", "AGAIN"}),
    "attack": frozenset({"NOT"}),
    "enter": frozenset({"NOT"}),
    "stance": frozenset({"NOT", "WHENHIT", "OWNTURN"}),
    "buy": frozenset({"NOT", "HOPE", "EARLY"}),
    "play": frozenset({"NOT", "EARLY"}),
    "life": frozenset({"FORLIFE"}),
}
"""The small words that say something in each kind of line; another one makes it uncertain."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What the words are said to: the open question if it is the speaker's, whether it is his live turn, heroes, the last plan."""

    stage: Stage | None = None
    live: bool = False
    heroes: dict[int, str] = field(default_factory=dict)
    last: tuple[o.Line, ...] = ()


@dataclass(slots=True)
class Draft:
    """A line in the making: parts of one group with their conditions."""

    group: str
    parts: list[tuple[Part, c.When]] = field(default_factory=list)
    moment: Literal["", "hit", "realm", "ultimatum"] = ""
    always: bool = False


_LOSING = ("drop", "fall", "sink", "go")
"""What hearts do when somebody hits: `if my hearts drop below 4`."""
IMPLIED = {"stance": "HEART", "enter": "HEART"}
_PLAIN: dict[str, o.Order] = {
    "WAIT": o.Wait(),
    "CONCEDE": o.Concede(),
    "AUTOON": o.Auto(on=True),
    "AUTOOFF": o.Auto(on=False),
    "GOON": o.GoOn(),
}


def build(parts: Sequence[Part], scene: Scene, moment: Literal["", "hit", "realm", "ultimatum"] = "") -> list[o.Order]:
    """The orders of a sentence. NotRead where something in it is uncertain: then nothing of it counts."""
    orders: list[o.Order] = []
    drafts: list[Draft] = []
    pending: Part | None = None
    carried: dict[str, Lexeme] = {}
    for i, part in enumerate(parts):
        if part.flags and part.verb is None and not part.things and not part.how and i + 1 < len(parts):
            carried |= part.flags  # `when hit, leave`
            continue
        part.flags |= carried
        carried = {}
        if part.kind in _PLAIN or part.kind in ("SAME", "FORGET"):
            orders += _plain(part, scene)
            continue
        group = _group(part, drafts)
        is_bare = part.verb is None and not part.things and bool(part.how)
        if is_bare and (part.how == "ONLY" or (drafts and (i == len(parts) - 1 or "ELSE" in parts[i + 1].flags))):
            _restrict(drafts[-1] if drafts else None, part, scene)
            continue
        if is_bare:
            if pending is not None:
                raise NotRead("not-understood")
            pending = part
            continue
        continues = bool(drafts) and drafts[-1].group == group and (part.verb is None or _goes_on(part, drafts[-1]))
        draft = drafts[-1] if continues else Draft(group, moment=moment)
        if not continues:
            drafts.append(draft)
        _enter(draft, part, pending, scene)
        pending = None
    if pending is not None:
        raise NotRead("not-understood")
    always = any("ALWAYS" in part.flags for part in parts)
    for draft in drafts:
        draft.always = always
        orders += _BUILDERS[draft.group](draft, scene)
    if not orders:
        raise NotRead("not-understood")
    return orders


def _plain(part: Part, scene: Scene) -> list[o.Order]:
    if part.how or (part.things and part.kind != "FORGET") or "NOT" in part.flags:
        raise NotRead("not-understood", part.verb)
    if part.kind == "SAME":
        if not scene.last:
            raise NotRead("no-last-plan", part.verb)
        return list(scene.last)
    if part.kind == "FORGET":
        if not part.of("ALL") or len(part.things) > 1:
            raise NotRead("not-understood", part.verb)
        return [o.Drop()]
    return [_PLAIN[part.kind]]


def _group(part: Part, drafts: Sequence[Draft]) -> str:
    """What a part is about: its verb, else what came before, else its first thing."""
    last = drafts[-1].group if drafts else ""
    if part.kind == "KEEP" and part.of("GOLD") and part.things[0].kind == "number":
        return "buy"
    if part.kind == "BUY" and part.of("HEART", "LIFE"):
        return "life"
    if part.kind in ("TAKEIT", "BUY", "COVER") and last == "reveal":
        return "reveal"
    if part.kind:
        return GROUPS.get(part.kind, "")
    first = next((phrase.lexemes[0].kind for phrase in part.things if phrase.kind != "number"), "")
    if first == "RFACE":
        return "faces"
    if part.of("REST") and "AGAIN" in part.flags:
        return "reroll"
    if last:
        return last
    return "hero" if part.things and part.says_only("HERO") else "reroll" if "SECOND" in part.flags else ""


def _goes_on(part: Part, draft: Draft) -> bool:
    """Whether a part with a verb belongs to the line before it."""
    group = draft.group
    if draft.parts[-1][0].kind == "ULTIMATUM":
        return True
    return group in ("reroll", "reveal", "buy") or "ELSE" in part.flags or ("THEN" in part.flags and group == "stance")


def _restrict(draft: Draft | None, part: Part, scene: Scene) -> None:
    """`..., but only with 7 hearts or more`: of all that was said; `..., unless ...`: of the last."""
    if draft is None or not draft.parts:
        raise NotRead("not-understood")
    when = when_of(part, IMPLIED.get(draft.group, ""), scene.heroes)
    concerned = draft.parts if part.how == "ONLY" else draft.parts[-1:]
    if any(old for _, old in concerned):
        raise NotRead("not-understood")
    draft.parts = [(old, when) if any(old is one for one, _ in concerned) else (old, was) for old, was in draft.parts]


def _enter(draft: Draft, part: Part, pending: Part | None, scene: Scene) -> None:
    stray = next((lexeme for kind, lexeme in part.flags.items() if kind not in _COMMON | _FLAGS.get(draft.group, frozenset())), None)
    if stray is not None:
        raise NotRead("not-understood", stray)
    implied = _implied(draft.group, part)
    if draft.group == "reveal":
        draft.parts.append((part, c.ALWAYS))
        return
    when = when_of(part, implied, scene.heroes)
    if pending is not None:
        if when:
            raise NotRead("not-understood")
        if pending.how == "UNLESS":  # `unless that, then this`: this, where that holds, goes before what was said
            when = when_of(_as_if(pending), implied, scene.heroes)
            draft.parts.insert(max(0, len(draft.parts) - 1), (part, when))
            return
        when = when_of(pending, implied, scene.heroes)
    draft.parts.append((part, when))


def _as_if(part: Part) -> Part:
    return Part(part.verb, part.flags, part.things, part.condition, "IF")


def _implied(group: str, part: Part) -> str:
    if group == "reroll":
        kinds = {phrase.lexemes[0].kind for phrase in part.things}
        return "HEART" if kinds == {"HEART"} else ""
    return IMPLIED.get(group, "")


# ------------------------------------------------------------------------------------------------ dice
def _reroll(draft: Draft, scene: Scene) -> list[o.Order]:
    rules: list[o.DieRule] = []
    rest: Literal["blanks", "keep", "reroll"] = "blanks"
    second = scene.stage in ("second", "knuckle")
    told: list[o.Order] = []
    verb = "REROLL"
    for part, when in draft.parts:
        verb = part.kind or verb
        second = second or bool({"SECOND", "TWICE"} & set(part.flags))
        rerolls = (verb == "REROLL" or "AGAIN" in part.flags) and not ("NOT" in part.flags and part.things)
        if "EXCEPT" in part.flags or "ONLY" in part.flags or part.of("REST", "ALL", "NOTHING") or "NOT" in part.flags:
            if when or rest != "blanks":
                raise NotRead("not-understood", part.verb)
            rest = _rest(part, rerolls)
        rerolled = rerolls != ("EXCEPT" in part.flags)
        rules += [o.DieRule(what, rerolled, when) for what in _dice(part, scene)]
    if not rules and rest == "blanks" and not second:
        rules = [o.DieRule("-", reroll=True)]
    told.append(o.Reroll(tuple(rules), rest, second, draft.always))
    return told


def _rest(part: Part, rerolls: bool) -> Literal["blanks", "keep", "reroll"]:
    """What a part says of the dice it does not name."""
    if "NOT" in part.flags and not part.things:
        return "keep"
    if "EXCEPT" in part.flags:
        return "reroll" if rerolls else "keep"
    if "ONLY" in part.flags:
        return "keep" if rerolls else "reroll"
    if part.of("NOTHING"):
        return "keep" if rerolls else "reroll"
    if part.of("REST", "ALL"):
        return "reroll" if rerolls else "keep"
    return "blanks"


def _dice(part: Part, scene: Scene) -> list[str]:
    """The dice a part names: faces, a lone half banner, places."""
    found: list[str] = []
    lone = False
    for phrase in part.things:
        lexeme = phrase.lexemes[0]
        if lexeme.kind == "LONE":
            lone = True
        elif lexeme.kind in FACES:
            found.append("lone" if lone and FACES[lexeme.kind] == "b" else FACES[lexeme.kind])
            lone = False
        elif phrase.kind == "number" and scene.stage in ("reroll", "second", "knuckle") and lexeme.value in (1, 2, 3, 4, 5):
            found.append(str(lexeme.value))
        elif lexeme.kind not in ("REST", "ALL", "NOTHING"):
            raise NotRead("not-understood", lexeme)
    if lone:
        raise NotRead("not-understood", part.verb)
    return found


def _faces(draft: Draft, scene: Scene) -> list[o.Order]:
    """`R's are swords`, `one R as sword, rest coins`, `R complete five`."""
    rules: list[o.FaceRule] = []
    for part, when in draft.parts:
        count: int | None = None
        face = ""
        for phrase in part.things:
            lexeme = phrase.lexemes[0]
            if phrase.kind == "number" and count is None and not face:
                count = lexeme.value
            elif lexeme.kind == "FIVE" and not face:
                face = o.FIVE
            elif lexeme.kind in FACES and lexeme.kind != "RFACE" and not face:
                face = FACES[lexeme.kind]
            elif lexeme.kind not in ("RFACE", "REST", "ALL"):
                raise NotRead("not-understood", lexeme)
        if not face or part.verb is not None or (count is not None and not 1 <= count <= 5) or "NOT" in part.flags:
            raise NotRead("not-understood", part.verb)
        rules.append(o.FaceRule(face, count, when))
    return [o.Faces(tuple(rules), draft.always)]


# ------------------------------------------------------------------------------------------------ attack and places
def _attack(draft: Draft, scene: Scene) -> list[o.Order]:
    choices: list[o.Choice] = []
    for part, when in draft.parts:
        heroes = part.of("HERO", "WHO")
        if heroes and len(part.things) == len(heroes) == 1:
            return [o.AttackOne(hero_of(heroes[0], scene.heroes))]
        if part.things and not part.says_only("NOTHING", "ALL"):
            raise NotRead("not-understood", part.verb)
        no = bool(part.of("NOTHING")) or "NOT" in part.flags
        choices.append(o.Choice("no" if no else "yes", when))
    if choices[-1].when:
        choices.append(o.Choice("yes" if choices[-1].word == "no" else "no"))
    return [o.Choose("attack", tuple(choices), draft.always)]


def _enter_lands(draft: Draft, scene: Scene) -> list[o.Order]:
    choices: list[o.Choice] = []
    for part, when in draft.parts:
        words = _lands(part)
        if part.kind == "STAYOUT" and words:
            raise NotRead("not-understood", part.verb)
        if part.kind == "STAYOUT" or "NOT" in part.flags:
            words = [o.NOWHERE]
        if not words or ("NOT" in part.flags and part.of("LAND")):
            raise NotRead("not-understood", part.verb)
        choices += [o.Choice(word, when) for word in words]
    return [o.Enter(tuple(choices), draft.always)]


def _lands(part: Part) -> list[str]:
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
            case "REALM":
                continue
            case _:
                raise NotRead("not-understood", lexeme)
    return words


def _stance(draft: Draft, scene: Scene) -> list[o.Order]:
    """Stay, leave, move, bleed: when hit, in the own turn, or at an ultimatum. Where none is said, stay and leave count for both former."""
    choices: list[o.Choice] = []
    moment: str = draft.moment or {"hit": "hit", "realm": "realm", "ultimatum": "ultimatum"}.get(scene.stage or "", "")
    for part, when in draft.parts:
        if part.kind == "ULTIMATUM" or (part.kind == "BLEED" and not moment):
            moment = "ultimatum"
        if "WHENHIT" in part.flags or any(isinstance(one, c.AttackedBy) or _is_damage(one) for every in when for one in every):
            moment = "hit"
        if "OWNTURN" in part.flags or part.kind == "MOVE" or any(isinstance(one, c.OnLand) for every in when for one in every):
            moment = "realm"
        if not moment and any(phrase.lexemes[0].text.startswith(_LOSING) for phrase in part.condition):
            moment = "hit"
        word = _stance_word(part)
        choices += [o.Choice(word, when)] if word else []
    if not choices:
        raise NotRead("not-understood")
    if moment == "ultimatum":
        words = {"stay": "lose", "leave": "leave", "lose": "lose"}
        if any(choice.word not in words for choice in choices):
            raise NotRead("not-understood")
        return [o.Choose("ultimatum", tuple(o.Choice(words[choice.word], choice.when) for choice in choices), draft.always)]
    if any(choice.word == "lose" for choice in choices):
        raise NotRead("not-understood")
    orders: list[o.Order] = []
    if moment != "realm":
        orders.append(o.Choose("hit", tuple(choices), draft.always))
    if moment != "hit":
        orders.append(o.Realm(tuple(choices), draft.always))
    return orders


def _is_damage(question: c.Question) -> bool:
    return isinstance(question, c.Amount) and question.of == "damage"


def _stance_word(part: Part) -> str:
    """`stay`, `leave`, `lose`, or the land to move to; nothing of a mere heading."""
    lands = _lands(Part(part.verb, part.flags, [phrase for phrase in part.things if phrase.lexemes[0].kind not in TOKENS]))
    reasons = [lexeme for lexeme in part.of(*TOKENS) if part.verb is None or not part.verb.text.endswith("for")]
    if reasons or len(lands) > 1:
        raise NotRead("not-understood", part.verb)
    match part.kind:
        case "MOVE":
            if not lands or lands[0] == o.NOWHERE or "NOT" in part.flags:
                raise NotRead("not-understood", part.verb)
            return lands[0]
        case "STAY" | "LEAVE":
            return _STANCES[part.kind] if "NOT" not in part.flags else "leave" if part.kind == "STAY" else "stay"
        case "BLEED" if "NOT" not in part.flags:
            return "lose"
        case "ULTIMATUM" if not part.things and "NOT" not in part.flags:
            return ""
        case "" if lands and lands[0] != o.NOWHERE:
            return lands[0]
    raise NotRead("not-understood", part.verb)


# ------------------------------------------------------------------------------------------------ trade
def _card(lexeme: Lexeme) -> str:
    return cards_by_name()[lexeme.text]


def _buy(draft: Draft, scene: Scene) -> list[o.Order]:
    wishes: list[o.Wish] = []
    early, keep = False, 0
    for part, when in draft.parts:
        early = early or "EARLY" in part.flags
        if part.kind == "KEEP":
            keep = part.things[0].lexemes[0].value or 0
            continue
        if "NOT" in part.flags or part.of("NOTHING"):
            return [o.Drop("buy")]
        if not part.says_only("CARD"):
            raise NotRead("not-understood", part.verb)
        wishes += [o.Wish(_card(lexeme), "HOPE" in part.flags, when) for lexeme in part.of("CARD")]
    if not wishes and not keep:
        raise NotRead("not-understood")
    if scene.live and not keep and not early and all(not wish.when and not wish.hoped for wish in wishes) and not draft.always:
        return [o.BuyNow(wish.card) for wish in wishes]
    return [o.Buy(tuple(wishes), early, keep, draft.always)]


def _play(draft: Draft, scene: Scene) -> list[o.Order]:
    orders: list[o.Order] = []
    for part, when in draft.parts:
        cards = part.of("CARD")
        if len(cards) != 1:
            raise NotRead("not-understood", part.verb)
        card = _card(cards[0])
        if card == SMOKE_POT:
            word = "no" if "NOT" in part.flags else "yes"
            rest = (o.Choice("no" if word == "yes" else "yes"),) if when else ()
            orders.append(o.Choose("smoke", (o.Choice(word, when), *rest), draft.always))
            continue
        if "NOT" in part.flags:
            raise NotRead("not-understood", part.verb)
        now = scene.live and not when and "EARLY" not in part.flags and not draft.always
        played = o.Play(card, early="EARLY" in part.flags, when=when, always=draft.always, now=now)
        orders.append(_aimed(played, part, scene))
    return orders


def _aimed(played: o.Play, part: Part, scene: Scene) -> o.Play:
    """With what the card is played on."""
    faces: list[c.Face] = []
    die: str | None = None
    for phrase in part.things:
        lexeme = phrase.lexemes[0]
        if lexeme.kind in ("HERO", "WHO") and played.hero is None:
            played = replace(played, hero=hero_of(lexeme, scene.heroes))
        elif lexeme.kind == "LAND" and played.land is None:
            played = replace(played, land=lands_by_name()[lexeme.text])
        elif lexeme.kind in _FACE_KINDS and played.card == CHARM:
            faces.append(FACES[lexeme.kind])
        elif phrase.kind == "number" and played.card == CHARM and lexeme.value in (1, 2, 3, 4, 5):
            die = str(lexeme.value)
        elif lexeme.kind != "CARD":
            raise NotRead("not-understood", lexeme)
    if played.card != CHARM:
        return played
    if len(faces) != (1 if die is not None else 2):
        raise NotRead("target-wanted", part.verb)
    return replace(played, die=die if die is not None else faces[0], face=faces[-1])


def _reveal(draft: Draft, scene: Scene) -> list[o.Order]:
    """`Reveal one, take it if it costs 3 or less, else cover the shield`; in the place question what becomes of the card."""
    times, most, cover = 1, None, None
    cards: list[str] = []
    for part, _ in draft.parts:
        number = next((phrase.lexemes[-1].value for phrase in part.things if phrase.kind in ("number", "bound")), None)
        named = [_card(lexeme) for lexeme in part.of("CARD")]
        match part.kind:
            case "REVEAL" if "NOT" not in part.flags and not named:
                times = number or 1
            case "TAKEIT" | "BUY" if "NOT" not in part.flags:
                price, wanted = _price(part)
                most = price if price is not None else most
                cards += [*named, *wanted]
                if price is None and not cards and part.how:
                    raise NotRead("condition-unknown", part.verb)
                most = 99 if price is None and not cards else most
            case "COVER" if len(named) == 1:
                cover = named[0]
            case _:
                raise NotRead("not-understood", part.verb)
    if scene.stage == "place" and draft.parts[0][0].kind != "REVEAL":
        return [o.PlaceCard(cover)]
    if draft.parts[0][0].kind != "REVEAL":
        raise NotRead("not-understood")
    if scene.live and len(draft.parts) == 1 and times == 1:
        return [o.RevealNow()]
    return [o.Reveal(times, most, tuple(cards), cover, always=draft.always)]


def _price(part: Part) -> tuple[int | None, list[str]]:
    """`if it costs 3 or less`, `if it is the Iron Shield`: the price or the cards of a condition."""
    cards: list[str] = []
    price: int | None = None
    for phrase in part.condition:
        lexeme = phrase.lexemes[0]
        if phrase.kind == "number":
            price = lexeme.value
        elif lexeme.kind == "MOST":
            price = phrase.lexemes[1].value
        elif lexeme.kind == "BELOW":
            price = (phrase.lexemes[1].value or 0) - 1
        elif lexeme.kind == "CARD":
            cards.append(_card(lexeme))
        elif lexeme.kind not in ("COSTS", "LESS", "IT", "GOLD", "ARE", "OR"):
            raise NotRead("condition-unknown", lexeme)
    says_less = any(phrase.lexemes[0].kind in ("LESS", "MOST", "BELOW") for phrase in part.condition)
    if price is not None and not says_less:
        raise NotRead("condition-unknown", part.verb)
    return price, cards


def _tribute(draft: Draft, scene: Scene) -> list[o.Order]:
    ways: list[tuple[Token, str]] = []
    for part, when in draft.parts:
        if when:
            raise NotRead("not-understood", part.verb)
        tokens: list[Token] = []
        for phrase in part.things:
            lexeme = phrase.lexemes[0]
            if lexeme.kind in TOKENS:
                tokens.append(TOKENS[lexeme.kind])
            elif lexeme.kind == "ALL":
                tokens += ["hearts", "gold", "banners"]
            elif lexeme.kind == "LAND" and tokens:
                ways += [(token, lands_by_name()[lexeme.text]) for token in tokens]
                tokens = []
            elif phrase.kind != "number":
                raise NotRead("not-understood", lexeme)
        if tokens:
            raise NotRead("not-understood", part.verb)
    if not ways:
        raise NotRead("not-understood")
    return [o.PayTribute(tuple(ways), draft.always)]


def _life(draft: Draft, scene: Scene) -> list[o.Order]:
    if len(draft.parts) != 1:
        raise NotRead("not-understood")
    part, when = draft.parts[0]
    numbers = [phrase.lexemes[0].value or 0 for phrase in part.things if phrase.kind == "number"]
    if len(numbers) != 1 or "NOT" in part.flags or not (part.of("LIFE", "HEART") or "FORLIFE" in part.flags):
        raise NotRead("not-understood", part.verb)
    now = scene.live and not when and not draft.always
    return [o.Life(numbers[0], when, draft.always, now)]


def _loot(draft: Draft, scene: Scene) -> list[o.Order]:
    cards = [_card(lexeme) for part, _ in draft.parts for lexeme in part.of("CARD")]
    if not cards or any(when or not part.says_only("CARD") or "NOT" in part.flags for part, when in draft.parts):
        raise NotRead("not-understood")
    return [o.Loot(tuple(cards), draft.always)]


def _hero(draft: Draft, scene: Scene) -> list[o.Order]:
    heroes = [hero_of(lexeme, {}) for part, _ in draft.parts for lexeme in part.of("HERO")]
    if not heroes or any(when or not part.says_only("HERO") or "NOT" in part.flags for part, when in draft.parts):
        raise NotRead("not-understood")
    return [o.PickHero(tuple(dict.fromkeys(heroes)))]


def _save(draft: Draft, scene: Scene) -> list[o.Order]:
    """`Otherwise save`: nothing more is bought."""
    return []


def _none(draft: Draft, scene: Scene) -> list[o.Order]:
    raise NotRead("not-understood")


_BUILDERS: dict[str, Callable[[Draft, Scene], list[o.Order]]] = {
    "reroll": _reroll, "faces": _faces, "attack": _attack, "enter": _enter_lands, "stance": _stance, "buy": _buy, "play": _play,
    "reveal": _reveal, "tribute": _tribute, "life": _life, "loot": _loot, "hero": _hero, "save": _save, "": _none,
}  # fmt: skip
