"""How a chat shows what the desk says: words, buttons, edits, and what its messages are called."""
