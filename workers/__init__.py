"""The jobs: thin dramatiq actors, each one use case of the desk, carrying ids only."""
