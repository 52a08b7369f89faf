"""Telegram: updates in, chat messages out, what an update means."""
