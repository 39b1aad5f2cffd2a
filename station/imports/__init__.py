"""Read lists of players in the formats that people have: text, CSV and spreadsheets."""
