"""The order reader of Fortresses."""
