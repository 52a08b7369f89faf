"""Words of States & Sovereigns."""
