"""Settings → Topology: circuit breakers and retries, ISO 8601 → seconds."""

from sinbin.durations import parse_duration
from sinbin.settings.schema import CircuitBreakerSettings, RetrySettings
from sinbin.topology import CircuitBreaker, Retry, StatusRange


def circuit_breaker(settings: CircuitBreakerSettings | None) -> CircuitBreaker | None:
    """Return the rule that every backend of an alias gets; None leaves it out."""
    if settings is None:
        return None
    return CircuitBreaker(
        failure_count=settings.count or (None if settings.percentage else 1),
        failure_percentage=settings.percentage,
        interval_s=parse_duration(settings.interval),
        trip_duration_s=parse_duration(settings.trip_duration),
        status_ranges=tuple(_status_range(text) for text in settings.status_codes),
        error_reasons=settings.error_reasons,
        accept_retry_after=settings.accept_retry_after,
    )


def _status_range(text: str) -> StatusRange:
    low, _, high = text.partition("-")
    return StatusRange(low=int(low), high=int(high or low))


def retry(settings: RetrySettings | None) -> Retry | None:
    """Return the retry around an alias's forward; None leaves it out."""
    if settings is None:
        return None
    return Retry(
        count=settings.count,
        interval_s=settings.interval_seconds,
        delta_s=settings.delta_seconds,
        max_interval_s=settings.max_interval_seconds,
        first_fast_retry=settings.first_fast_retry,
    )
