"""Evidence: scenarios, the protocol, and the runner that judges foreign programs by them."""
