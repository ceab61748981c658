"""Takes each defence of docs/threats.md out of a copy of the tree, one at a time, and wants its tests to fail.

`make prove` runs it. A defence that can be taken out unnoticed has no test, whatever its test is called.
"""
