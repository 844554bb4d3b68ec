"""One file per site and family; `probes.catalogue` finds them."""
