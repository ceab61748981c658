"""Many runs watched by many at once, over real sockets that break off: what is lost, what comes twice, how late it comes."""
