"""Mail: what comes in, what goes out, who really wrote."""
