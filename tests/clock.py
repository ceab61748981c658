"""Time that passes when a test says so."""


class Clock:
    """In seconds. It stands at zero until `now` is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now
