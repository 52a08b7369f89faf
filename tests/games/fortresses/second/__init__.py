"""A second adjudicator of Fortresses, for tests alone: written from the rules and the case format,
and from nothing else.

It takes positions as cases tell them and canonical texts, and shares no code with the engine but
the map file, which is normative. Its style is another on purpose (plain dicts, plain loops), so
that the two are unlikely to share a mistake.
"""
