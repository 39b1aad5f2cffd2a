"""Services for the floor: tables, clocks, reports and disputes."""
