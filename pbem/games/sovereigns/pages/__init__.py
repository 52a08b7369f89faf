"""What players of States & Sovereigns read, and tap."""
