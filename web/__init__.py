"""The HTTP API and the explorer page, served or as one file."""
