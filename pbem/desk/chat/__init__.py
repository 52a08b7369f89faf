"""The desk in a chat: what goes to Telegram and comes from there, over and above what every channel
has.
"""
