"""The phases of a turn: attack, battles, reinforcement."""
