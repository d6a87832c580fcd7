"""Results of rendering per site, and the policy that follows from them."""
