"""The commands, grouped by what they are for; `cli.py` loads the one that is asked for. Only these know click and tqdm."""
