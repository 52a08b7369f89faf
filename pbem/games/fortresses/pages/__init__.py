"""What players of Fortresses read, and tap."""
