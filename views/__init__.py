"""What people look at: text, tables, trees, maps and matches, drawn from searches and stored solutions alike."""
