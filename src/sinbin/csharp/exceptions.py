"""The exceptions of .NET, as Python exceptions.

A policy's `throw` raises one, its `catch` catches one, and what nobody catches is the gateway's
`ExpressionValueEvaluationFailure`.
"""

from typing import ClassVar


class CsException(Exception):  # noqa: N818  (named as .NET names its own)
    """An exception of .NET: `type_name` is its full name, `message` what `Exception.Message` gives."""

    type_name: ClassVar[str] = "System.Exception"
    short_name: ClassVar[str] = "Exception"
    default_message: ClassVar[str] = "Exception of type 'System.Exception' was thrown."

    def __init__(self, message: str | None = None, inner: "CsException | None" = None) -> None:
        self.message = self.default_message if message is None else message
        self.inner = inner
        self.data: dict[object, object] = {}
        super().__init__(self.message)


class StepsExceededError(Exception):
    """The expression took more steps than allowed; no `catch` of the policy stops it."""


_TABLE = """
System.SystemException : Exception | System error.
System.ApplicationException : Exception | Error in the application.
System.ArgumentException : SystemException | Value does not fall within the expected range.
System.ArgumentNullException : ArgumentException | Value cannot be null.
System.ArgumentOutOfRangeException : ArgumentException | Specified argument was out of the range of valid values.
System.ArithmeticException : SystemException | Overflow or underflow in the arithmetic operation.
System.OverflowException : ArithmeticException | Arithmetic operation resulted in an overflow.
System.DivideByZeroException : ArithmeticException | Attempted to divide by zero.
System.FormatException : SystemException | One of the identified items was in an invalid format.
System.UriFormatException : FormatException | Invalid URI: The format of the URI could not be determined.
System.IndexOutOfRangeException : SystemException | Index was outside the bounds of the array.
System.InvalidCastException : SystemException | Specified cast is not valid.
System.InvalidOperationException : SystemException | Operation is not valid due to the current state of the object.
System.NotImplementedException : SystemException | The method or operation is not implemented.
System.NotSupportedException : SystemException | Specified method is not supported.
System.NullReferenceException : SystemException | Object reference not set to an instance of an object.
System.OutOfMemoryException : SystemException | Insufficient memory to continue the execution of the program.
System.RankException : SystemException | Attempted to operate on an array with the incorrect number of dimensions.
System.TimeZoneNotFoundException : Exception | The time zone was not found on the local computer.
System.TimeoutException : SystemException | The operation has timed out.
System.InsufficientExecutionStackException : SystemException | Insufficient stack to continue executing the program safely.
System.Collections.Generic.KeyNotFoundException : SystemException | The given key was not present in the dictionary.
System.Text.RegularExpressions.RegexMatchTimeoutException : TimeoutException | The operation has timed out.
System.Text.RegularExpressions.RegexParseException : ArgumentException | Value does not fall within the expected range.
System.Security.Cryptography.CryptographicException : SystemException | Error occurred during a cryptographic operation.
System.Xml.XmlException : SystemException | An XML error has occurred.
Newtonsoft.Json.JsonException : Exception | Exception of type 'Newtonsoft.Json.JsonException' was thrown.
Newtonsoft.Json.JsonReaderException : JsonException | Exception of type 'Newtonsoft.Json.JsonReaderException' was thrown.
Newtonsoft.Json.JsonSerializationException : JsonException | Exception of type 'Newtonsoft.Json.JsonSerializationException' was thrown.
"""  # noqa: E501


def _build() -> dict[str, type[CsException]]:
    classes: dict[str, type[CsException]] = {"Exception": CsException}
    for line in _TABLE.strip().splitlines():
        head, message = line.split(" | ")
        full, base = head.split(" : ")
        short = full.rpartition(".")[2]
        classes[short] = type(
            short, (classes[base],), {"type_name": full, "short_name": short, "default_message": message}
        )
    return classes


# By short name, bases before those that derive from them.
EXCEPTIONS = _build()


def raised(name: str, message: str | None = None) -> CsException:
    """Return the exception with the short .NET name `name`, ready to raise."""
    return EXCEPTIONS[name](message)


def null_reference() -> CsException:
    """Return what reading a member of null raises."""
    return EXCEPTIONS["NullReferenceException"]()


def throw_null_reference() -> object:
    """Raise NullReferenceException, where an expression is wanted.

    Raises:
        CsException: always.
    """
    raise null_reference()


def argument_null(parameter: str) -> CsException:
    """Return ArgumentNullException for a parameter, in the words of .NET (5 and later)."""
    return raised("ArgumentNullException", f"Value cannot be null. (Parameter '{parameter}')")


def out_of_range(
    parameter: str, message: str = "Specified argument was out of the range of valid values."
) -> CsException:
    """Return ArgumentOutOfRangeException for a parameter."""
    return raised("ArgumentOutOfRangeException", f"{message} (Parameter '{parameter}')")
