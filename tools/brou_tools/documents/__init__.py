"""What commands write: JSON documents, records of long runs, and the nodes that books and pages are made of."""
