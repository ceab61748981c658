"""The rules of the scripted demo model, one question a file: what is asked, what fits, which arguments, what to say."""
