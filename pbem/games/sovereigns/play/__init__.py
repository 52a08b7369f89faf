"""How scripted rulers think and word their orders in States & Sovereigns."""
