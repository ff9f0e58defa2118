"""Local suppression: cells become missing until every record has company."""
