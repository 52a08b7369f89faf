"""Who really wrote: what a message proves, and the questions asked where it proves too little."""
