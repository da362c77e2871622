"""SB324: backend with a circuit breaker through which several model deployments are reached."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EstateRule


class SeveralModelsBehindOneBreaker(EstateRule):
    """Backend with a circuit breaker through which several model deployments are reached.

    ## Why
    A breaker belongs to the backend. When one model is full, its 429 trips the breaker, and the other models of
    the account are answered 503 although they have room.

    ## Bad
    ```json
    [
      {
        "name": "aoai-a",
        "properties": {
          "url": "https://aoai-a.openai.azure.com/openai",
          "protocol": "http",
          "circuitBreaker": {"rules": [{"name": "busy"}]}
        }
      },
      {
        "account": "aoai-a",
        "name": "chat",
        "sku": {"name": "Standard", "capacity": 10},
        "properties": {"model": {"name": "gpt-4.1"}}
      },
      {
        "account": "aoai-a",
        "name": "embed",
        "sku": {"name": "Standard", "capacity": 10},
        "properties": {"model": {"name": "text-embedding-3-large"}}
      }
    ]
    ```

    ## Good
    ```json
    [
      {
        "name": "aoai-a-chat",
        "properties": {
          "url": "https://aoai-a.openai.azure.com/openai/deployments/chat",
          "protocol": "http",
          "circuitBreaker": {"rules": [{"name": "busy"}]}
        }
      },
      {
        "name": "aoai-a-embed",
        "properties": {
          "url": "https://aoai-a.openai.azure.com/openai/deployments/embed",
          "protocol": "http",
          "circuitBreaker": {"rules": [{"name": "busy"}]}
        }
      }
    ]
    ```

    ## Fix
    Make one backend per model deployment, with `/openai/deployments/<deployment>` in its URL.
    """

    id = "SB324"
    name = "several-models-behind-one-breaker"
    severity = Severity.WARNING
    source = "https://github.com/Azure-Samples/Apim-Samples"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for backend in estate.single_backends:
            behind = estate.deployments_behind(backend)
            if len(behind) > 1 and backend.get("circuitBreaker", "rules") is not None:
                names = ", ".join(f"`{deployment.name}`" for deployment in behind)
                yield Problem(
                    backend.get("url") or backend.place,
                    f"the breaker of {backend.label} is shared by the deployments {names}",
                    "make one backend per model deployment",
                )
