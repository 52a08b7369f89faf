"""The order reader of States & Sovereigns."""
