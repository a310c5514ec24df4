"""The engine for games of whole numbers: the verbs that the user wrote, compiled, and all positions at once."""
