"""The report of a tournament: one HTML page with tables, plots and a viewer for every playthrough."""
