"""Searches made visible: as a trace of their steps, or as a tree in text, DOT, JSON or SVG."""
