"""Everything that is stored: writing solutions and answering from them."""
