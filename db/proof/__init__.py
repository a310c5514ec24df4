"""Proves stored solutions right from the rules alone, with nothing of the code that solved them.

`plain` goes position by position and proves whatever is stored. Packed solutions, which are far larger, are proved by compiled
code: `boards` those of boards, `keyed` those of games of whole numbers, `sample` what random play comes by in either.
"""
