"""What press a table allows, as pages tell it."""

from pbem.desk.table import OpenTable
from pbem.grammar.press_rules import PressRules
from pbem.pages.press import RulesFacts


def rules_facts(table: OpenTable) -> RulesFacts:
    """The rules of a table."""
    return facts_of(table.settings.press)


def facts_of(rules: PressRules) -> RulesFacts:
    """As pages tell it."""
    return RulesFacts(
        rules.mode, rules.grey, rules.closed_in, rules.eliminated, rules.observers, rules.after_end, rules.gm_reads, rules.groups
    )
