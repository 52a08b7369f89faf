"""Every table of the service. The migrations make them; a test holds the two together.

Nothing is ever deleted by a cascade: a game stays whole when a person is forgotten.
"""

from pbem.store.tables.games import (
    acts,
    events,
    games,
    gm_log,
    gms,
    invitations,
    orders,
    phases,
    pictures,
    seats,
    states,
    tenures,
    votes,
)
from pbem.store.tables.life import (
    absences,
    ballots,
    chats,
    deliveries,
    graces,
    links,
    motions,
    observers,
    preferences,
    press,
    suppositions,
    taps,
    waits,
)
from pbem.store.tables.people import addresses, masters, people, results, strikes
from pbem.store.tables.post import inbox, marks, notes, outbox, pending, secrets
from pbem.store.tables.schema import metadata

__all__ = [
    "absences",
    "acts",
    "addresses",
    "ballots",
    "chats",
    "deliveries",
    "events",
    "games",
    "gm_log",
    "gms",
    "graces",
    "inbox",
    "invitations",
    "links",
    "marks",
    "masters",
    "metadata",
    "motions",
    "notes",
    "observers",
    "orders",
    "outbox",
    "pending",
    "people",
    "phases",
    "pictures",
    "preferences",
    "press",
    "results",
    "seats",
    "secrets",
    "states",
    "strikes",
    "suppositions",
    "taps",
    "tenures",
    "votes",
    "waits",
]
