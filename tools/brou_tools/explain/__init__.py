"""`brou explain`: why an act, a figure or a sight is as it is."""
