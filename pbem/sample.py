"""A commented configuration to start from (`pbem init`). A test compares it with the settings."""

SAMPLE = """\
# Settings of the post office. Every key can also come from the environment:
# PBEM_SMTP__HOST=mail.example.org
# Keys that do not exist are errors. Times are in seconds unless their name says otherwise.

[service]
address = "orders@example.org"      # where players write; the mailbox below must receive it
# name = "Post Office of the Realm" # the sender's name in our mails
# data_dir = "pbem-data"            # database and lock file, relative to this file
# subaddressing = true              # false if orders+anything@example.org does not arrive
# authserv_id = "mx.example.org"    # what your server calls itself in Authentication-Results
# zone = "Europe/Berlin"            # the time zone of the games
# hold_minutes = 240                # how long a close waits while the mailbox cannot be read
# remind_hours = [24.0, 4.0]        # hours before a deadline when we remind late players
# open_days = 21                    # days until a game that has not begun is given up
# keep_raw_days = 180               # days until raw mails are deleted; orders and events stay
# rules_url = "https://play.example.org/rules.html"   # the page that `pbem rules` writes
# sweep_seconds = 2.0               # how often the service looks for what is due

[games]
# enabled = []                      # ids of the games to run (`pbem games`); empty: all

[imap]
host = "imap.example.org"
user = "orders@example.org"
password_file = "imap-password"     # or: password = "..."
# port = 993
# tls = "implicit"                  # implicit | starttls | none
# mailbox = "INBOX"                 # the folder to read
# poll_seconds = 60.0               # how often to look, if the server does not announce mail
# ca_file = "mail-server.pem"       # the only certificates to trust for this server

[smtp]
host = "smtp.example.org"
user = "orders@example.org"
password_file = "smtp-password"     # or: password = "..."
# port = 587
# tls = "starttls"
# ca_file = "mail-server.pem"

[oauth]
# provider = "microsoft"            # google | microsoft: no password; then `pbem oauth microsoft`
# client_id = "..."                 # identifies this program at the provider
# client_secret_file = "oauth-client-secret"   # Google needs one; or: client_secret = "..."
# token_file = "/var/lib/pbem/oauth-token"     # written by us; by default in data_dir
# tenant = "common"                 # Microsoft: the organisation's own name or id, or "consumers"
# device_url = ""                   # addresses and scope, if not the provider's own
# browser_url = ""
# token_url = ""
# scope = ""

[gm]
addresses = ["gm@example.org"]      # the game masters

[database]
# url = ""                          # empty: SQLite in data_dir; or postgresql+asyncpg://pbem@localhost/pbem
# url_file = "database-url"         # a file with that URL, for one with a password
# upgrade = "backup"                # an older SQLite database: backup (copied, migrated) | ask

[broker]
# url = ""                          # empty: the service does its jobs itself; or redis://localhost:6379/0
# url_file = "broker-url"           # a file with that URL, for one with a password

[telegram]
# token_file = "telegram-token"     # what @BotFather gave; or: token = "..."
# mode = "polling"                  # polling | webhook
# poll_seconds = 50                 # how long one poll waits at Telegram, 1 to 50
# journal_dir = "chat-journal"      # a second copy of updates, for a restore; default: in data_dir
# api_url = "https://api.telegram.org"                  # another server of the same Bot API
# webhook_url = "https://orders.example.org/telegram"   # where Telegram calls; its path is ours
# webhook_secret_file = "telegram-secret"               # 16 to 256 letters, digits, _ and -
# webhook_secret = "..."            # instead of a file
# webhook_host = "127.0.0.1"        # where we listen, behind a proxy that ends TLS
# webhook_port = 8443

[reading]
# model = "..."                     # a language model that may say what a message means; none: off
# url = "http://127.0.0.1:8080/v1"  # its server; the player's view and words go there
# key_file = "model-key"            # if the server wants a key; or: key = "..."
# seconds = 10.0                    # how long an answer may take, up to 60
# requests_a_day = 200              # how often it is asked at most

[archive]
# folder = "/srv/pbem"              # archives of the public games are kept here; without it nowhere
# base_url = "https://play.example.org/games"   # where that folder lies on the web; for feeds

[metrics]
# port = 9464                       # for Prometheus; without a port there are no metrics
# host = "127.0.0.1"
"""
