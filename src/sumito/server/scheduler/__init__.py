"""What happens in games without anybody asking: flags, computers, presence, outages."""
