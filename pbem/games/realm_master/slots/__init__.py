"""The reader of Realm-Master by slots: lexemes, sentences and discourse of the kit, parts with their
conditions, lines of a plan.
"""
