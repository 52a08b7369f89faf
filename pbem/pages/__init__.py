"""View and events in, words out: the mails of the house, each as subject, plain text and HTML."""
