"""Every page of the product, and what tests that go through all of them need."""
