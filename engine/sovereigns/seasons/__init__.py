"""Seasons and years: actions, rolls, trades, technologies."""
