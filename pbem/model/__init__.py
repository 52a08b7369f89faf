"""A language model that says what a message may mean; what it says counts for nothing by itself."""
