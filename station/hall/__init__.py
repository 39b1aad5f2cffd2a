"""The hall: what is known of the tables, what follows from it, and the decisions about tournaments."""
