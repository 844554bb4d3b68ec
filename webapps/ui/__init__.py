"""The look and the widgets that all sites share."""
