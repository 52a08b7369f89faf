"""A second adjudicator of States & Sovereigns, for tests only: written from the rules (SS) and the
format of cases (SF) alone, in plain dicts and loops, so that it agrees with the engine only where
both read the rules alike. It takes positions and texts as cases tell them.
"""
