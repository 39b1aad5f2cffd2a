"""What the station orders a table's terminal to do, and what the terminal reports."""
