"""What posts say without being asked: places, connections, time zones, languages."""
