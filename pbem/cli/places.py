"""Where each command is, and what it does in a line: the first paragraph of its own help, held to
it by a test, so that a list of commands imports none of them.
"""

from collections.abc import Mapping

Places = Mapping[str, tuple[str, str]]

HOUSE: Places = {
    "demo": (
        "demo:demo",
        (
            "Watch a whole game by e-mail and Telegram: scripted players, real SMTP, IMAP and Bot "
            "API within this process, a fast clock."
        ),
    ),
    "try": (
        "demo:try_seat",
        "Play one seat yourself, in this terminal, against the scripted players.",
    ),
    "init": ("service:init", "Write a commented configuration to start from."),
    "serve": ("service:serve", "Run the service with a real mailbox until SIGTERM or Ctrl-C."),
    "worker": (
        "service:worker",
        (
            "Do the service's jobs, on this host or any other, until SIGTERM or Ctrl-C. Needs a "
            "PostgreSQL and a Redis."
        ),
    ),
    "backup": ("store:backup", "Copy the database into a file, checked, while the service runs."),
    "restore": (
        "store:restore",
        (
            "Put a backup in the place of the database. The service must not run; the database that"
            " is there stays beside."
        ),
    ),
    "accept-clock": (
        "store:accept_clock",
        (
            "Go on by the machine's clock as it is, after it was ahead and was set back; the "
            "service waits otherwise till it has caught up."
        ),
    ),
    "doctor": (
        "doctor:doctor",
        (
            "Look at the configuration, the database, the boards and the clock, log in to both mail"
            " servers, and write to ourselves."
        ),
    ),
    "oauth": (
        "oauth:oauth",
        "Log in to the mailbox's provider, and keep the token that the service goes on with.",
    ),
    "health": (
        "operations:health",
        (
            "Tell from the database alone whether the service is well: ok, degraded or failing, and"
            " why."
        ),
    ),
    "profile": (
        "people:profile",
        "What somebody has played, won and missed here, their strikes, and where they play now.",
    ),
    "hall-of-fame": (
        "people:hall_of_fame",
        "The best of this house, by treasury, games won and games played.",
    ),
    "forget": (
        "operations:forget",
        "Forget somebody: name, addresses, mails and notes go, and their games stay whole.",
    ),
    "archive": (
        "archive:archive",
        ("Write the archive of each game as a site that works offline, and an index of all games."),
    ),
    "why": (
        "why:why",
        (
            "Explain how something came out, line by line with the rules, as everybody at the table"
            " may know it."
        ),
    ),
    "verify": (
        "verify:verify",
        "Play a game again from its seed and orders and compare everything: what differs is named.",
    ),
    "adjudicate": (
        "cases:adjudicate",
        "Run case files: close the phase with these orders, and compare what comes out.",
    ),
    "rules": (
        "rules:rules",
        "Write the rules of all games in short as one page, with an anchor for every rule.",
    ),
    "games": (
        "games:games",
        (
            "List the games of this house: id, title, players, version, the version of the "
            "contract, and the package each comes from."
        ),
    ),
}
GAME: Places = {
    "new": ("game:new", "Open a table."),
    "clock": (
        "game:clock",
        (
            "Set when a table's deadlines are and what moves them, from the next phase on, and tell"
            " everybody."
        ),
    ),
    "grant": ("game:grant_request", "Give the more time that a player asks for."),
    "refuse": ("game:refuse_request", "Refuse the more time that a player asks for."),
    "press": ("game:press_rules", "Set what press a table allows, and tell everybody."),
    "invite": ("game:invite", "Give people a seat and write them."),
    "team": ("game:team", "Before the start: give a player a team, a place in it, or a faction."),
    "start": ("game:start", "Deal the game and ask the first question."),
    "list": ("looking:list_games", "List all tables."),
    "status": (
        "looking:status",
        (
            "One screen about a table: who has answered, the deadline, what bounced, what waits for"
            " you."
        ),
    ),
    "notes": ("looking:notes", "The players' notes that nobody has answered."),
    "log": ("looking:log", "What was done with a table, by whom and when."),
    "extend": ("running:extend", "Move the open deadline to a later time, and tell everybody."),
    "shorten": (
        "running:shorten",
        "Move the open deadline to an earlier time, and tell everybody.",
    ),
    "close": ("running:close", "Close a phase now, whoever is missing."),
    "pause": ("running:pause", "Stop a table's clock; orders are still taken."),
    "resume": ("running:resume", "Let the clock go on; the deadline moves by the time it stood."),
    "option": ("running:option", "Change what a table is played with, before it starts."),
    "replace": (
        "running:replace",
        (
            "Ask somebody to take a seat for good. With their yes old codes are worthless, and "
            "orders that stand are forgotten."
        ),
    ),
    "unlock": ("running:unlock", "Let a player change orders that were final; everybody is told."),
    "strike": (
        "running:strike",
        "Give a strike for shown orders: the Dragon takes the seat at once.",
    ),
    "pardon": (
        "running:pardon",
        "Take the newest strike given to a player at a table back; the game stays as it is.",
    ),
    "correct": (
        "running:correct",
        (
            "Set the table right: units, an owner, money, the Dragon, a card, an elimination. "
            "Everybody is told."
        ),
    ),
    "rule": (
        "running:rule",
        "Answer what a game asks its game master: a ruling, a proposal, an objection.",
    ),
    "announce": ("running:announce", "Say something to everybody at a table."),
    "answer": ("running:answer", "Answer a player's note; nobody else reads it."),
    "dismiss": (
        "running:dismiss",
        "Lay a player's note aside without an answer, as when its writer plays no more.",
    ),
    "look": (
        "running:look",
        "See a player's orders as they stand. It is logged, and everybody at the table is told.",
    ),
    "roll-back": (
        "running:roll_back",
        "Take back everything since a phase opened, and ask it anew.",
    ),
    "end": (
        "running:end",
        "Break a game off for good, and publish its seed; or give up a table that has not begun.",
    ),
    "people": (
        "seats:people",
        "Set what a table says about its people, and tell everybody; without RULES show it.",
    ),
    "substitute": (
        "seats:substitute",
        (
            "Ask somebody to play for a player until a day; the seat is theirs for that time with "
            "their yes."
        ),
    ),
    "defaults": (
        "seats:defaults",
        (
            "Let a seat go on by the rules' defaults, with nobody waiting for it until its player "
            "writes again."
        ),
    ),
    "remove": (
        "seats:remove",
        "Take a player out of the game for good, as the rules know it of whoever gives up.",
    ),
    "eject": (
        "seats:eject",
        (
            "Take a seat from whoever has it: it stands empty, or goes back to whom a substitute "
            "had it from."
        ),
    ),
    "record": (
        "verify:record",
        "Write the record of a game that has ended: a file from which anybody can play it again.",
    ),
}
MASTERS: Places = {
    "invite": (
        "gm:invite",
        "Let somebody run tables by mail and send them their code; again, to send a new one.",
    ),
    "list": ("gm:list_them", "List the game masters."),
    "revoke": (
        "gm:revoke",
        "Make a game master's codes worthless; whoever was invited runs no tables any more.",
    ),
}
MAIL: Places = {
    "inspect": ("mail:inspect", "Show what the service makes of a raw mail, without acting on it."),
    "shunted": (
        "mail:shunted",
        "List the messages that were laid aside because handling them failed.",
    ),
    "requeue": ("mail:requeue", "Handle a message again, from the start."),
}
DATABASE: Places = {
    "version": (
        "db:version",
        "Tell at which step the database stands and which this program needs.",
    ),
    "migrate": (
        "db:migrate",
        "Bring the database to the step this program needs. The service must not run.",
    ),
    "copy": (
        "db:copy",
        (
            "Copy everything from one database into another, empty one. Neither may be served "
            "meanwhile."
        ),
    ),
}
