"""Rules and algorithms: games, and the minimax values of their positions.

Everything here is plain computation: nothing in this package stores, prints or knows a terminal.
"""
