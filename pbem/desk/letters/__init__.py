"""Letters out: who gets which, the way each takes, and the sending."""
