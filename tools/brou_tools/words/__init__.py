"""`brou words`: what Brou and the games of a project say, in one more language."""
