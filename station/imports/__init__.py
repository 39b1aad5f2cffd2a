"""Lists of players as people have them: text, CSV and spreadsheets."""
