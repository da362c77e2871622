"""JSON as Json.NET (Newtonsoft.Json) reads it, holds it and writes it.

Source: https://www.newtonsoft.com/json/help, version 13, read 2026-11-29; messages and corner cases observed.
"""
