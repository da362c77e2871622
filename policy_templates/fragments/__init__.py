"""Policy fragments: parts that several policies include, same shape as templates."""
