"""Why a page that was sent to another process did not come back."""

from __future__ import annotations


class ProcessError(Exception):
    """A page that another process could not extract; ``reason`` is the code of why."""

    @property
    def reason(self) -> str:
        """The code that statistics and the page's warnings use."""
        return type(self).__name__


class PageFailed(ProcessError):
    """The extraction raised an error of the type *name*, told in *details*."""

    def __init__(self, name: str, details: str):
        super().__init__(details)
        self._name = name

    @property
    def reason(self) -> str:
        """The type of the error."""
        return self._name


class WorkerDied(ProcessError):
    """The process ended while it had the page, and so did the next one."""


class WorkerTimedOut(ProcessError):
    """The process took too long for the page and was killed."""


class WorkerNotStarted(ProcessError):
    """There is no process that would take pages."""
