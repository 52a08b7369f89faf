"""The games that come with the house: one package a game, and no other room knows their names."""
