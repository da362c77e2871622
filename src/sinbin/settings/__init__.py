"""Settings of one environment: the object `sinbin:gateway` of a stack file, and the Topology it means.

load_settings(path)      file    → Settings     every problem at once, with file, line and path
parse_settings(raw)      mapping → Settings     the same for an object that was read elsewhere
settings.to_topology()   Settings → Topology    pure; names and priorities are decided here
"""

from sinbin.settings.load import load_settings, parse_settings
from sinbin.settings.schema import Settings

__all__ = ["Settings", "load_settings", "parse_settings"]
