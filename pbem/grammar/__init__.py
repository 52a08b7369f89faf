"""Words into orders: a common grammar, one file a game; what was not understood is quoted with a
caret and a suggestion.
"""
