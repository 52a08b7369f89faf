"""The desk: every use case of the service, over small ports that the house fills."""
