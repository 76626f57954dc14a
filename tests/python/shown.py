"""Arrays that are not NumPy's."""


class OnlyDLPack:
    """An array that shows nothing but DLPack, as those of other libraries do."""

    def __init__(self, held):
        self.held = held

    def __dlpack__(self, **named):
        return self.held.__dlpack__(**named)

    def __dlpack_device__(self):
        return self.held.__dlpack_device__()
