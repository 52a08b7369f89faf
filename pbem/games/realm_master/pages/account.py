"""What an event adds to a hero's hearts, gold and banners, or takes from them."""

from engine.realm_master import events as e
from engine.realm_master.events import Gain
from engine.ruleset import Facts

NOTHING = Gain()


def change_of(facts: Facts, player: int) -> Gain:
    """The change for one player; nothing for an event that leaves his tokens alone. Losses are
    negative.
    """
    match facts:
        case e.HeroTaken(player=whose, start=start) if whose == player:
            return Gain(start.hearts, start.gold, start.banners)
        case e.HeroesGiven(heroes=heroes):
            return next((gain for whose, gain in heroes if whose == player), NOTHING)
        case e.TributePaid(player=whose, paid=paid) if whose == player:
            tokens = [token for token, _ in paid]
            return Gain(-tokens.count("hearts"), -tokens.count("gold"), -tokens.count("banners"))
        case e.UltimatumMet(player=whose, lost=lost) if whose == player:
            return Gain(hearts=-lost)
        case e.Corrected(
            what="hearts" | "gold" | "banners" as what,
            player=whose,
            before=int(before),
            after=int(after),
        ) if whose == player:
            return Gain(**{what: after - before})
    return _in_turn(facts, player)


def _in_turn(facts: Facts, player: int) -> Gain:
    """What is a hero's own doing in his turn."""
    match facts:
        case e.TurnBegan(player=whose, writ=writ, mending=mending) if whose == player:
            return Gain(hearts=mending, gold=writ)
        case e.DiceResolved(player=whose, gain=gain) if whose == player:
            return gain
        case e.CardBought(player=whose, price=price) if whose == player:
            return Gain(gold=-price)
        case e.CardRevealed(player=whose) if whose == player:
            return Gain(gold=-1)
        case e.CardPlayed():
            return _by_card(facts, player)
        case e.LifeBought(player=whose, hearts=hearts) if whose == player:
            return Gain(hearts=hearts, gold=-hearts)
        case e.LandEntered(player=whose, paid=paid, bonus=bonus) if whose == player:
            return Gain(
                bonus.hearts - paid.hearts, bonus.gold - paid.gold, bonus.banners - paid.banners
            )
        case e.Collected(player=whose, gain=gain) if whose == player:
            return gain
    return _in_fight(facts, player)


def _by_card(facts: e.CardPlayed, player: int) -> Gain:
    amount, is_mine, is_target = facts.amount, facts.player == player, facts.hero == player
    match facts.card:
        case "B08" if is_mine:
            return Gain(hearts=amount)
        case "B11" if is_mine or is_target:
            return Gain(gold=amount if is_mine else -amount)
        case "B12" if is_mine:
            return Gain(banners=amount)
        case "B16" if is_target:
            return Gain(hearts=-amount)
        case "B17" if is_mine:
            return Gain(gold=amount)
    return NOTHING


def _in_fight(facts: Facts, player: int) -> Gain:
    match facts:
        case e.AttackMade(blows=blows):
            return next(
                (Gain(hearts=-blow.lost) for blow in blows if blow.player == player), NOTHING
            )
        case e.ElfHonoured(player=whose, banners=banners) if whose == player:
            return Gain(banners=banners)
        case e.PhoenixRose(player=whose, hearts=hearts) if whose == player:
            return Gain(hearts=hearts)
        case e.ThornsPricked(player=whose) if whose == player:
            return Gain(hearts=-1)
        case e.HeroDied(killer=killer, looted=looted) if killer == player:
            return looted
        case e.HeroDied(player=whose, looted=looted, rest=rest, lost=lost) if whose == player:
            return Gain(
                gold=-(looted.gold + rest.gold + lost.gold),
                banners=-(looted.banners + rest.banners + lost.banners),
            )
    return NOTHING
