"""Every change of state of the refund desk, as plain functions on a world."""
