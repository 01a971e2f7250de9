"""Publish and subscribe: hub, presence and queues, within a process or through Redis."""
