"""What the checks of crawler.testing are made of: a planted web, rehearsed crawls of it, and their comparison."""
