"""SB552: backend whose certificate is not validated."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class CertificateNotValidated(ResourceRule):
    """Backend whose certificate is not validated.

    ## Why
    Without validation of chain and name, anybody in between can answer in the model's place and read the token
    of the managed identity. Azure's own endpoints have valid certificates.

    ## Bad
    ```json
    {
      "url": "https://aoai-a.openai.azure.com/openai",
      "protocol": "http",
      "tls": {"validateCertificateChain": false, "validateCertificateName": false}
    }
    ```

    ## Good
    ```json
    {
      "url": "https://aoai-a.openai.azure.com/openai",
      "protocol": "http",
      "tls": {"validateCertificateChain": true, "validateCertificateName": true}
    }
    ```

    ## Fix
    Remove the two settings; give a private authority's certificate to API Management instead.
    """

    id = "SB552"
    name = "certificate-not-validated"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for key in ("validateCertificateChain", "validateCertificateName"):
            node = resource.get("tls", key)
            if node is not None and resource.properties.flag("tls", key) is False:
                what = "chain" if key.endswith("Chain") else "name"
                yield Problem(
                    node,
                    f"{resource.label} does not validate the certificate's {what}",
                    "set it to true; upload the certificate of a private authority instead",
                )
