"""Solve every board and game of a list, check each, and put down what came out: ``python -m bench.results``.

`manifest` says which games, `solving` builds and checks one and measures it from outside, `pages` makes `docs/results/` of the
figures that were kept, and `pictures` what is better looked at than read.
"""
