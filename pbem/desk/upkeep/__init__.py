"""The house itself: health, backups, records, what is tidied."""
