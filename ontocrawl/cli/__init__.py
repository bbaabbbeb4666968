"""The command line: noun, then verb; one thin file a noun."""
