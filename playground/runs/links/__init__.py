"""The places where tools of a catalog run, one file a link of the execution chain."""
