"""The embedded graph engine: its Java, its data and files, the process that supervises it, and the store on it."""
