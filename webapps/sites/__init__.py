"""One folder a site; `webapps.site.load_sites` finds them."""
