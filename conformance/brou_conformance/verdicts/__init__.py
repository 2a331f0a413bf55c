"""What all the answers say together: a program verified, edition by edition, under the readings it follows."""
