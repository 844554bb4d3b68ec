"""The two kinds of trouble that are not the agent's: bad input, and machinery that broke."""

from runner.records import Status


class UserError(Exception):
    """Something the person at the keyboard can mend. Printed as one line; exit code 2."""


class StopRunError(UserError):
    """The whole run must end now (bad key, budget spent). What is recorded stays; resume works."""


class MachineryError(Exception):
    """The machinery failed in an episode: `status` is one of `records.MACHINERY_STATUSES`."""

    def __init__(self, message: str, *, status: Status = "infra_error") -> None:
        super().__init__(message)
        self.status = status
