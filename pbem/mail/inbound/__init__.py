"""Mails in: bytes to what a person wrote this time."""
