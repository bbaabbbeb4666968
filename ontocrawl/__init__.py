"""The application: settings, workspace, wiring, command line, demo."""

__version__ = "0.1.0"
