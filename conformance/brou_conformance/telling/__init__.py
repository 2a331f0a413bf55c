"""Who is told: people, build servers, pytest, and the record from which a run goes on."""
