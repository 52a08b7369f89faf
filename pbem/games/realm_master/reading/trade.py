"""Buying, playing, revealing, tribute, the exchange and loot, as lines of a plan or deeds of a live
turn (rules, section 12).
"""

from msgspec.structs import replace

from engine.realm_master import conditions as c
from engine.realm_master import orders as o
from engine.realm_master.cards import CHARM, SMOKE_POT, Token
from pbem.games.realm_master.reading.parts import FACES, TOKENS, NotRead, PlanPart, hero_of
from pbem.games.realm_master.reading.position import Draft, Position
from pbem.games.realm_master.reading.words import cards_by_name, lands_by_name
from pbem.grammar.kit.lexemes import Lexeme

ANY_PRICE = 99
"""A revealed card that the player buys at any price."""
MOST_TOKENS = 4
"""Of one kind in a tribute: no turn card asks for more than two."""


def _card(lexeme: Lexeme) -> str:
    return cards_by_name()[lexeme.text]


def buy(draft: Draft, position: Position) -> list[o.Order]:
    wishes: list[o.Wish] = []
    keep: int | None = None
    early = {"EARLY" in part.flags for part, _ in draft.parts if part.kind != "KEEP"}
    alone = len(draft.parts) == 1
    for part, when in draft.parts:
        is_no = "NOT" in part.flags or bool(part.of("NOTHING"))
        if when and (part.kind == "KEEP" or is_no):
            raise NotRead("not-understood", part.verb)
        if part.kind == "KEEP" and keep is None:
            keep = part.things[0].lexemes[0].value or 0
            continue
        cards = [_card(lexeme) for lexeme in part.of("CARD")]
        if is_no and not cards and alone:  # of one card: what is to become of the others?
            return [o.GoOn() if position.stage == "last" else o.Drop("buy")]
        hope = part.flags["HOPE"].text.split() if "HOPE" in part.flags else []
        if (
            is_no
            or not part.says_only("CARD")
            or ("it" in hope and len(cards) > 1)
            or ("ONLY" in part.flags and not alone)
            or {wish.card for wish in wishes} & {*cards}
        ):
            raise NotRead("not-understood", part.first)
        wishes += [o.Wish(card, bool(hope), when) for card in cards]
    if (not wishes and not keep) or len(early) > 1:
        raise NotRead("not-understood", draft.parts[0][0].first)
    later = keep or any(early) or draft.always or any(wish.when or wish.hoped for wish in wishes)
    if position.live and not later:
        return [o.BuyNow(wish.card) for wish in wishes]
    return [o.Buy(tuple(wishes), any(early), keep or 0, draft.always)]


def play(draft: Draft, position: Position) -> list[o.Order]:
    orders: list[o.Order] = []
    for part, when in draft.parts:
        cards = part.of("CARD")
        saves = part.kind in ("SAVE", "TAKEIT", "KEEP") or (not cards and "NOT" in part.flags)
        if saves and "ELSE" in part.flags and draft.parts[0][1]:
            continue  # `horn if I have 3 swords, otherwise not`
        if len(cards) != 1:
            raise NotRead("not-understood", part.verb)
        card = _card(cards[0])
        denied = "NOT" in part.flags
        is_pot = card == SMOKE_POT
        aimed = is_pot and part.of("HERO", "WHO", "LAND")
        if aimed or (denied and not is_pot) or ("WHENHIT" in part.flags and (denied or not is_pot)):
            raise NotRead("not-understood", part.verb)
        if is_pot:
            word = "no" if denied else "yes"
            rest = (o.Choice("no" if word == "yes" else "yes"),) if when else ()
            orders.append(o.Choose("smoke", (o.Choice(word, when), *rest), draft.always))
            continue
        now = position.live and not when and "EARLY" not in part.flags and not draft.always
        played = o.Play(card, early="EARLY" in part.flags, when=when, always=draft.always, now=now)
        orders.append(_aimed(played, part, position))
    return orders


def _aimed(played: o.Play, part: PlanPart, position: Position) -> o.Play:
    """With what the card is played on."""
    faces: list[c.Face] = []
    die: str | None = None
    if part.shape.endswith("CARD TO") and part.flags["TO"].text != "in":  # `throw the War Horn in`
        raise NotRead("not-understood", part.flags["TO"])
    for phrase in part.things:
        lexeme = phrase.lexemes[0]
        if lexeme.kind in ("HERO", "WHO") and played.hero is None:
            played = replace(played, hero=hero_of(lexeme, position.heroes))
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


def reveal(draft: Draft, position: Position) -> list[o.Order]:
    """`Reveal one, take it if it costs 3 or less, else cover the shield`; in the place question
    what becomes of the card.
    """
    times, most, cover = 1, None, None
    cards: list[str] = []
    when = draft.parts[0][1]
    first = draft.parts[0][0]
    for part, also in draft.parts:
        if (part.kind == "COVER" and part.how) or also not in (c.ALWAYS, when):
            raise NotRead("not-understood", part.verb)
        counted = (x.lexemes[-1].value for x in part.things if x.kind in ("number", "bound"))
        number = next(counted, None)
        below = any(phrase.lexemes[0].kind == "BELOW" for phrase in part.things)
        named = [_card(lexeme) for lexeme in part.of("CARD")]
        match part.kind:
            case "REVEAL" if "NOT" not in part.flags and not named and part is first and not below:
                pays = part.shape.startswith("NUM")  # `one gold to turn a card`
                if pays and (number != 1 or not part.shape.endswith("REVEAL")):
                    raise NotRead("not-understood", part.first)
                times = number or 1
            case "TAKEIT" | "BUY" if "NOT" not in part.flags and part.how != "UNLESS":
                price, wanted = _price(part)
                told = [*cards, *named, *wanted]
                bare = price is None and not (named or wanted)
                if (price is not None and most is not None) or (bare and most is not None):
                    raise NotRead("not-understood", part.first)
                if price is None and not told and part.how:
                    raise NotRead("condition-unknown", part.verb)
                most = price if price is not None else most
                most, cards = (ANY_PRICE if price is None and not told else most), told
            case "COVER" if len(named) == 1 and cover is None:
                cover = named[0]
            case _:
                raise NotRead("not-understood", part.verb)
    if position.stage == "place" and first.kind != "REVEAL":
        if when or len(draft.parts) > 1 or first.how or most not in (None, ANY_PRICE) or cards:
            raise NotRead("not-understood", first.verb)
        return [o.PlaceCard(cover)]
    if first.kind != "REVEAL":
        raise NotRead("not-understood")
    if position.live and len(draft.parts) == 1 and times == 1 and not when:
        return [o.RevealNow()]
    return [o.Reveal(times, most, tuple(cards), cover, when, draft.always)]


def _price(part: PlanPart) -> tuple[int | None, list[str]]:
    """`if it costs 3 or less`, `for at most 3 gold`, `if it is the Iron Shield`: the price, or the
    cards of a condition.
    """
    cards: list[str] = []
    price: int | None = None
    told = [
        *(phrase for phrase in part.things if phrase.lexemes[0].kind != "CARD"),
        *part.condition,
    ]
    for phrase in told:
        lexeme = phrase.lexemes[0]
        if price is not None and (phrase.kind in ("number", "bound")):
            raise NotRead("condition-unknown", lexeme)
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


def tribute(draft: Draft, position: Position) -> list[o.Order]:
    ways: list[tuple[Token, str]] = []
    for part, when in draft.parts:
        if when:
            raise NotRead("not-understood", part.verb)
        tokens: list[Token] = []
        count = 1
        for phrase in part.things:
            lexeme = phrase.lexemes[0]
            if lexeme.kind in TOKENS:
                tokens += [TOKENS[lexeme.kind]] * count
                count = 1
            elif lexeme.kind == "BOTH" and position.owed:
                tokens += position.owed
            elif lexeme.kind in ("ALL", "BOTH"):
                tokens += ["hearts", "gold", "banners"]
            elif lexeme.kind == "LAND" and tokens:
                ways += [(token, lands_by_name()[lexeme.text]) for token in tokens]
                tokens = []
            elif phrase.kind == "number" and 1 <= (lexeme.value or 0) <= MOST_TOKENS:
                count = lexeme.value or 1
            else:
                raise NotRead("not-understood", lexeme)
        if tokens:
            raise NotRead("not-understood", part.verb)
    if not ways:
        raise NotRead("not-understood")
    return [o.PayTribute(tuple(ways), draft.always)]


def life(draft: Draft, position: Position) -> list[o.Order]:
    if len(draft.parts) != 1:
        raise NotRead("not-understood")
    part, when = draft.parts[0]
    numbers = [phrase.lexemes[0].value or 0 for phrase in part.things if phrase.kind == "number"]
    if len(numbers) == 2 and numbers[0] == numbers[1]:  # `trade 2 gold for 2 hearts`
        numbers = numbers[:1]
    if (
        len(numbers) != 1
        or "NOT" in part.flags
        or not (part.of("LIFE", "HEART") or "FORLIFE" in part.flags)
    ):
        raise NotRead("not-understood", part.verb)
    now = position.live and not when and not draft.always
    return [o.Life(numbers[0], when, draft.always, now)]


def loot(draft: Draft, position: Position) -> list[o.Order]:
    cards = list(
        dict.fromkeys(_card(lexeme) for part, _ in draft.parts for lexeme in part.of("CARD"))
    )
    if not cards or any(
        when or not part.says_only("CARD") or "NOT" in part.flags for part, when in draft.parts
    ):
        raise NotRead("not-understood")
    return [o.Loot(tuple(cards), draft.always)]
