"""Reports: for people, for build servers, for pytest, and the record from which a run resumes."""
