"""Repeats what fails only for a moment, for the drivers of browsers."""
import contextlib
import time

# In seconds. A busy machine needs many times what an idle one does.
PATIENCE = 180
# How long a person needs from seeing the result of a press to the next press, in seconds. A
# checklist takes an earlier press for the second of a double tap.
REST = 0.4


def attempts(kind, *signs):
    """Does something again as long as it fails with an error of a kind that has one of these signs,
    for example because the page is just being replaced:

        for attempt in attempts(RuntimeError, "no such frame"):
            with attempt:
                return look()
    """
    end = time.monotonic() + PATIENCE
    is_done = False

    @contextlib.contextmanager
    def attempt():
        nonlocal is_done
        try:
            yield
            is_done = True
        except kind as error:
            if time.monotonic() > end or not any(it in str(error) for it in signs):
                raise

    while True:
        yield attempt()
        if is_done:
            return
        time.sleep(0.05)
