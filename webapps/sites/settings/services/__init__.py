"""Every state change of the settings site, as plain functions on a world."""
