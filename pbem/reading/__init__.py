"""What is read in the same way in every game: offers of what a message may mean where it was not
taken, corrections of a game master, the lines of a message on its way.

A game tells its forms and what its words name; nothing here knows a game. See `offers`,
`corrections`, `terms` and `ledger`.
"""
