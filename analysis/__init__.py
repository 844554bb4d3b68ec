"""Reading what was written: estimates, tables, figures, reports."""
