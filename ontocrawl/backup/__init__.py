"""Backup of a workspace as one file while it is in use, and its restoring into an empty folder."""
