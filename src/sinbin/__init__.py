"""sinbin: deploy, judge, rehearse and read an AI gateway on Azure API Management.

A region that answers 429 goes to the sin bin: it sits out for a minute while the others play on.
"""

__version__ = "0.1.0"
