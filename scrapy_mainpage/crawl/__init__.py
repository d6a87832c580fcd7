"""From a response to its page, per crawler."""
