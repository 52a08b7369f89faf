"""Realm-Master: heroes, lands, dice and cards; played a round a mail, or decision by decision."""
