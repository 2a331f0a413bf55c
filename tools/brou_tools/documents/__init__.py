"""JSON documents, records of long runs, and the nodes of books and pages."""
