"""What press a table allows, as pages tell it."""

from pbem.desk.table import OpenTable
from pbem.grammar.press_rules import PressRules
from pbem.pages.page import GamePages
from pbem.pages.press import RulesFacts


def rules_facts(table: OpenTable) -> RulesFacts:
    """The rules of a table."""
    return facts_of(table.settings.press, table.kind.pages)


def facts_of(rules: PressRules, pages: GamePages) -> RulesFacts:
    """As pages tell it, in the words of the game for its phases."""
    closed_in = tuple(map(pages.phase_name, rules.closed_in))
    return RulesFacts(
        rules.mode,
        rules.grey,
        closed_in,
        rules.eliminated,
        rules.observers,
        rules.after_end,
        rules.gm_reads,
        rules.groups,
    )
