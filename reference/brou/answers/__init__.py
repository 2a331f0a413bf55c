"""What is asked: why an act is allowed, what a deal comes to, what somebody meant."""
