"""Services for terminals: enrolment, orders, links, troubles."""
