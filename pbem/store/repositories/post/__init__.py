"""What comes in and goes out: messages, letters, questions that wait, buttons, notes, press."""
