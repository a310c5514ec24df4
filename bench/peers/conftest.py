"""Doctests are looked for in files that can be imported: a peer that is not installed is left out."""

from bench.peers import PEERS, present

collect_ignore = [f"{name}.py" for name in PEERS if name not in present(PEERS, peers=True)]
