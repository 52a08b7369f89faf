"""Phases: what is asked until when, what moves a deadline, and the close."""
