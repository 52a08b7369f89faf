"""Buying, playing, revealing, tribute, the exchange and loot, as lines of a plan or deeds of a live turn (rules, section 12)."""

from msgspec.structs import replace

from engine.realm_master import conditions as c
from engine.realm_master import orders as o
from engine.realm_master.cards import CHARM, SMOKE_POT, Token
from pbem.grammar.lexemes import Lexeme
from pbem.grammar.realm_master_parts import FACES, TOKENS, NotRead, Part, hero_of
from pbem.grammar.realm_master_scene import Draft, Scene
from pbem.grammar.realm_master_words import cards_by_name, lands_by_name


def _card(lexeme: Lexeme) -> str:
    return cards_by_name()[lexeme.text]


def buy(draft: Draft, scene: Scene) -> list[o.Order]:
    wishes: list[o.Wish] = []
    early, keep = False, 0
    for part, when in draft.parts:
        early = early or "EARLY" in part.flags
        if when and (part.kind == "KEEP" or "NOT" in part.flags or part.of("NOTHING")):
            raise NotRead("not-understood", part.verb)
        if part.kind == "KEEP":
            keep = part.things[0].lexemes[0].value or 0
            continue
        if "NOT" in part.flags or part.of("NOTHING"):
            if part.of("CARD") or len(draft.parts) > 1:  # of one card alone: what is to become of the others?
                raise NotRead("not-understood", part.verb)
            return [o.Drop("buy")]
        if not part.says_only("CARD"):
            raise NotRead("not-understood", part.verb)
        wishes += [o.Wish(_card(lexeme), "HOPE" in part.flags, when) for lexeme in part.of("CARD")]
    if not wishes and not keep:
        raise NotRead("not-understood")
    if scene.live and not keep and not early and all(not wish.when and not wish.hoped for wish in wishes) and not draft.always:
        return [o.BuyNow(wish.card) for wish in wishes]
    return [o.Buy(tuple(wishes), early, keep, draft.always)]


def play(draft: Draft, scene: Scene) -> list[o.Order]:
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
        elif lexeme.kind in FACES and played.card == CHARM:
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


def reveal(draft: Draft, scene: Scene) -> list[o.Order]:
    """`Reveal one, take it if it costs 3 or less, else cover the shield`; in the place question what becomes of the card."""
    times, most, cover = 1, None, None
    cards: list[str] = []
    when = draft.parts[0][1]
    for part, also in draft.parts:
        if (part.kind == "COVER" and part.how) or also not in (c.ALWAYS, when):
            raise NotRead("not-understood", part.verb)
        number = next((phrase.lexemes[-1].value for phrase in part.things if phrase.kind in ("number", "bound")), None)
        named = [_card(lexeme) for lexeme in part.of("CARD")]
        match part.kind:
            case "REVEAL" if "NOT" not in part.flags and not named:
                if part.of("GOLD") and any(phrase.kind == "bound" for phrase in part.things):  # a price, not a number of cards
                    raise NotRead("not-understood", part.verb)
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
        if when or len(draft.parts) > 1 or draft.parts[0][0].how:
            raise NotRead("not-understood", draft.parts[0][0].verb)
        return [o.PlaceCard(cover)]
    if draft.parts[0][0].kind != "REVEAL":
        raise NotRead("not-understood")
    if scene.live and len(draft.parts) == 1 and times == 1 and not when:
        return [o.RevealNow()]
    return [o.Reveal(times, most, tuple(cards), cover, when, draft.always)]


def _price(part: Part) -> tuple[int | None, list[str]]:
    """`if it costs 3 or less`, `for at most 3 gold`, `if it is the Iron Shield`: the price, or the cards of a condition."""
    cards: list[str] = []
    price: int | None = None
    told = [*(phrase for phrase in part.things if phrase.lexemes[0].kind != "CARD"), *part.condition]
    for phrase in told:
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
    says_less = any(phrase.lexemes[0].kind in ("LESS", "MOST", "BELOW") for phrase in told)
    if price is not None and not says_less:
        raise NotRead("condition-unknown", part.verb)
    return price, cards


def tribute(draft: Draft, scene: Scene) -> list[o.Order]:
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


def life(draft: Draft, scene: Scene) -> list[o.Order]:
    if len(draft.parts) != 1:
        raise NotRead("not-understood")
    part, when = draft.parts[0]
    numbers = [phrase.lexemes[0].value or 0 for phrase in part.things if phrase.kind == "number"]
    if len(numbers) != 1 or "NOT" in part.flags or not (part.of("LIFE", "HEART") or "FORLIFE" in part.flags):
        raise NotRead("not-understood", part.verb)
    now = scene.live and not when and not draft.always
    return [o.Life(numbers[0], when, draft.always, now)]


def loot(draft: Draft, scene: Scene) -> list[o.Order]:
    cards = [_card(lexeme) for part, _ in draft.parts for lexeme in part.of("CARD")]
    if not cards or any(when or not part.says_only("CARD") or "NOT" in part.flags for part, when in draft.parts):
        raise NotRead("not-understood")
    return [o.Loot(tuple(cards), draft.always)]
