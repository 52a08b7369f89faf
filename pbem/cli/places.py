"""Where each command is, and what it does in a line: the first paragraph of its own help, held to
it by a test, so that a list of commands does not import them.
"""

from collections.abc import Mapping

Places = Mapping[str, tuple[str, str]]

HOUSE: Places = {
    "demo": (
        "demo:demo",
        (
            "Watch scripted players play a whole game by e-mail and Telegram, over real SMTP, IMAP "
            "and Bot API servers within this process."
        ),
    ),
    "try": ("demo:try_seat", "Play one seat yourself in this terminal, against scripted players."),
    "init": ("service:init", "Write a commented configuration to start from."),
    "serve": ("service:serve", "Run the service with a real mailbox until SIGTERM or Ctrl-C."),
    "worker": (
        "service:worker",
        (
            "Run the service's jobs, on this host or any other, until SIGTERM or Ctrl-C. Needs "
            "PostgreSQL and Redis."
        ),
    ),
    "backup": (
        "store:backup",
        "Copy the database into a file and check the copy. The service may run.",
    ),
    "restore": (
        "store:restore",
        "Restore the database from a backup. Stop the service first; the old database is kept.",
    ),
    "accept-clock": (
        "store:accept_clock",
        "Accept the corrected system clock now, instead of waiting for it to catch up.",
    ),
    "doctor": (
        "doctor:doctor",
        (
            "Check the configuration, the database, the boards and the clock, log in to both mail "
            "servers, and send a test mail."
        ),
    ),
    "oauth": (
        "oauth:oauth",
        "Log in to the mailbox's provider, and store the token for the service.",
    ),
    "health": (
        "operations:health",
        "Report from the database whether the service is ok, degraded or failing, and why.",
    ),
    "profile": (
        "people:profile",
        (
            "Show what a person has played, won and missed here, their strikes, and where they "
            "play now."
        ),
    ),
    "hall-of-fame": (
        "people:hall_of_fame",
        "List the best players of this house, by treasury, games won and games played.",
    ),
    "forget": (
        "operations:forget",
        "Delete a person's name, addresses, mails and notes. Their games stay whole.",
    ),
    "archive": (
        "archive:archive",
        ("Write the archive of each game as a site that works offline, and an index of all games."),
    ),
    "why": (
        "why:why",
        (
            "Explain how something came out, line by line with the rules, from what all players "
            "may know."
        ),
    ),
    "verify": (
        "verify:verify",
        "Replay a game from its seed and orders, compare everything, and name each difference.",
    ),
    "adjudicate": (
        "cases:adjudicate",
        "Run case files: close the phase with these orders, and compare the results.",
    ),
    "rules": (
        "rules:rules",
        "Write the short rules of all games as one web page, with an anchor for every rule.",
    ),
    "games": (
        "games:games",
        "List the installed games: id, title, players, version, contract version and package.",
    ),
}
GAME: Places = {
    "new": ("game:new", "Open a game for players to join."),
    "clock": (
        "game:clock",
        (
            "Set when a game's deadlines are and what moves them, from the next phase on. "
            "Everybody is told."
        ),
    ),
    "grant": ("running:grant", "Grant the extra time that a player asks for."),
    "refuse": ("running:refuse", "Refuse the extra time that a player asks for."),
    "press": ("game:press_rules", "Set which press a game allows. Everybody is told."),
    "invite": ("game:invite", "Keep seats for players and write to them."),
    "team": ("game:team", "Give a player a team, a place in it, or a faction, before the start."),
    "start": ("game:start", "Deal the game and ask the first question."),
    "list": ("looking:list_games", "List all games."),
    "status": (
        "looking:status",
        "Show a game on one screen: missing orders, the deadline, bounced mails, and your tasks.",
    ),
    "notes": ("looking:notes", "Show players' notes without an answer."),
    "log": ("looking:log", "Show what was done with a game, by whom and when."),
    "extend": ("running:extend", "Move the open deadline later, and tell everybody."),
    "shorten": ("running:shorten", "Move the open deadline earlier, and tell everybody."),
    "close": ("running:close", "Close a phase now, even if orders are missing."),
    "pause": ("running:pause", "Stop a game's clock; players may still send orders."),
    "resume": (
        "running:resume",
        "Start the clock again; the deadline moves by the length of the pause.",
    ),
    "option": ("running:option", "Change an option of a game before it starts."),
    "replace": (
        "running:replace",
        (
            "Ask a new player to take a seat for good. With their yes we drop the seat's orders, "
            "and old codes no longer work."
        ),
    ),
    "unlock": ("running:unlock", "Let a player change final orders. Everybody is told."),
    "strike": (
        "running:strike",
        "Give a player a strike for showing secret orders; the Dragon takes the seat at once.",
    ),
    "pardon": (
        "running:pardon",
        "Take back the newest strike of a player in this game; the game stays as it is.",
    ),
    "correct": (
        "running:correct",
        (
            "Correct units, an owner, a treasury, the Dragon, a card or an elimination. Everybody "
            "is told."
        ),
    ),
    "rule": (
        "running:rule",
        "Answer a game's question to its game master: a ruling, a proposal, an objection.",
    ),
    "announce": ("running:announce", "Send a text to everybody in a game."),
    "answer": ("running:answer", "Answer a player's note; only that player reads it."),
    "dismiss": (
        "running:dismiss",
        "Close a player's note without an answer, for example when its writer has left.",
    ),
    "look": ("running:look", "Show a player's orders. We log it and tell everybody in the game."),
    "roll-back": ("running:roll_back", "Undo everything since a phase opened, and open it again."),
    "end": (
        "running:end",
        "Break a game off for good and publish its seed, or give up a game that has not begun.",
    ),
    "people": (
        "seats:people",
        "Set a game's rules about people, and tell everybody; without RULES, show them.",
    ),
    "substitute": (
        "seats:substitute",
        (
            "Ask a person to play for a player until a day. With their yes the seat is theirs "
            "until then."
        ),
    ),
    "defaults": (
        "running:defaults",
        (
            "Let a seat play by the rules' defaults; nobody waits for it until its player writes "
            "again."
        ),
    ),
    "remove": (
        "running:remove",
        "Take a player out of the game for good, as if they had given up.",
    ),
    "eject": (
        "running:eject",
        "Empty a player's seat, or return it from a substitute to its player.",
    ),
    "record": (
        "verify:record",
        "Write the record of a finished game: a file from which anyone can replay it.",
    ),
}
MASTERS: Places = {
    "invite": (
        "gm:invite",
        "Let a person run games by mail, and send them a code; repeat it to send a new one.",
    ),
    "list": ("gm:list_them", "List the game masters."),
    "revoke": ("gm:revoke", "Revoke a game master's codes, so that they can no longer run games."),
}
MAIL: Places = {
    "inspect": ("mail:inspect", "Show how the service reads a raw mail, without acting on it."),
    "shunted": ("mail:shunted", "List the messages in quarantine, whose handling failed."),
    "requeue": ("mail:requeue", "Handle a message again, from the start."),
}
DATABASE: Places = {
    "version": ("db:version", "Show the database's version, and the version this program needs."),
    "migrate": (
        "db:migrate",
        "Migrate the database to the version this program needs. Stop the service first.",
    ),
    "copy": (
        "db:copy",
        "Copy everything from one database into another, empty one. Stop the service first.",
    ),
}
