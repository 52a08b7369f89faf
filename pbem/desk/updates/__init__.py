"""What comes from Telegram over and above messages: taps, links followed, groups, answers that name
no code.
"""
