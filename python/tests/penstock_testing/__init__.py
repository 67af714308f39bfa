"""What tests judge by: formulas in plain Python, and an independent reader of what a feed delivers."""
