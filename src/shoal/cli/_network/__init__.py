"""What the commands on networks share."""
