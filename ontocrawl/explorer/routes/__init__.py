"""Routes of the explorer, a module for each view: its pages, and what is below ``/api`` for them and for programs."""
