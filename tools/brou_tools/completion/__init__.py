"""`brou completion`: what shells need to complete what is typed."""
