"""The hall: the shared state of tournaments, tables and terminals, and the decisions about them."""
