"""A real C# compiler and .NET runtimes, asked what expressions give.

Needs `apt-get install mono-mcs mono-runtime libnewtonsoft-json5.0-cil` for the compiler, Mono and Json.NET, and for
the second witness a folder with the .NET Core 3.1 runtime of the PyPI package `dotnetcore2`, which stays outside the
project's dependencies:

    pip download dotnetcore2 --no-deps -d /tmp/core && python -m zipfile -e /tmp/core/dotnetcore2*.whl /tmp/core
    chmod +x /tmp/core/dotnetcore2/bin/dotnet
    python benchmarks/csharp_witness/generate.py --core /tmp/core/dotnetcore2/bin
"""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

JSON_NET = Path("/usr/lib/mono/gac/Newtonsoft.Json")

_PROLOGUE = """
using System; using System.Collections.Generic; using System.IO; using System.Linq; using System.Net; using System.Text;
using System.Text.RegularExpressions; using System.Security.Cryptography; using System.Globalization;
using System.Xml.Linq; using Newtonsoft.Json; using Newtonsoft.Json.Linq;
"""
_MAIN = """
static class Witness {
  static string Name(Type t) {
    if (t.IsArray) return Name(t.GetElementType()) + "[]";
    string full = (t.Namespace == null ? "" : t.Namespace + ".") + t.Name;
    if (t.Name.StartsWith("<>")) return "<>f__AnonymousType0`" + t.GetGenericArguments().Length;
    return full;
  }
  // Tokens are built by hand: the serializer of Json.NET 6 needs what .NET Core does not have.
  static JToken Plain(object v) {
    if (v == null) return JValue.CreateNull();
    if (v is JToken) return new JValue(((JToken)v).ToString(Formatting.None));
    if (v is double) return new JValue(((double)v).ToString("G17", CultureInfo.InvariantCulture));
    if (v is float) return new JValue(((float)v).ToString("G9", CultureInfo.InvariantCulture));
    if (v is decimal) return new JValue(((decimal)v).ToString(CultureInfo.InvariantCulture));
    if (v is DateTime) return new JValue(((DateTime)v).ToString("o", CultureInfo.InvariantCulture));
    if (v is DateTimeOffset) return new JValue(((DateTimeOffset)v).ToString("o", CultureInfo.InvariantCulture));
    if (v is TimeSpan) return new JValue(((TimeSpan)v).ToString("c", CultureInfo.InvariantCulture));
    if (v is string) return new JValue((string)v);
    if (v is bool) return new JValue((bool)v);
    if (v is int || v is long || v is short || v is byte || v is sbyte || v is uint || v is ushort) return new JValue(Convert.ToInt64(v));
    if (v is ulong) return new JValue(((ulong)v).ToString(CultureInfo.InvariantCulture));
    if (v is System.Collections.IEnumerable) {
      var list = new JArray();
      foreach (var item in (System.Collections.IEnumerable)v) list.Add(Plain(item));
      return list;
    }
    return new JValue(Convert.ToString(v, CultureInfo.InvariantCulture));
  }
  static void Run(int n, Func<object> f) {
    var o = new JObject();
    o["n"] = n;
    try {
      object v = f();
      o["result"] = Plain(v);
      o["type"] = v == null ? null : Name(v.GetType());
    } catch (Exception e) {
      o = new JObject();
      o["n"] = n;
      o["throws"] = Name(e.GetType());
      o["message"] = e.Message;
    }
    Console.WriteLine(o.ToString(Formatting.None));
  }
  static void Main() {
    Console.OutputEncoding = new UTF8Encoding(false);
    CultureInfo.DefaultThreadCurrentCulture = CultureInfo.InvariantCulture;
    System.Threading.Thread.CurrentThread.CurrentCulture = CultureInfo.InvariantCulture;
"""


class Witnesses:
    """Compiles expressions once and runs them with Mono and, where given, .NET Core."""

    def __init__(self, core: Path | None) -> None:
        self.core = core
        self.json_net = next(JSON_NET.rglob("Newtonsoft.Json.dll"))

    def ask(self, sources: list[str]) -> list[dict[str, dict]]:
        """Return per expression (`@(…)` or `@{…}`) what "mono" and "core" say: result and type, or exception.

        What does not compile gives `{"refused": "CS…"}`.
        """
        answers: list[dict[str, dict]] = [{} for _ in sources]
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "witness.exe"
            for number, code in self._compile(sources, program).items():
                answers[number] = {"mono": {"refused": code}, "core": {"refused": code}}
            if program.exists():
                shutil.copy(self.json_net, folder)
                self._run(["mono", str(program)], "mono", answers)
                if self.core:
                    options = program.with_suffix(".runtimeconfig.json")
                    framework = {"name": "Microsoft.NETCore.App", "version": "3.1.0"}
                    options.write_text(json.dumps({"runtimeOptions": {
                        "framework": framework, "configProperties": {"System.Globalization.Invariant": True},
                    }}))  # fmt: skip
                    command = [str(self.core / "dotnet"), "exec", "--runtimeconfig", str(options), str(program)]
                    self._run(command, "core", answers)
        return answers

    def _compile(self, sources: list[str], program: Path) -> dict[int, str]:
        """Compile what can be compiled; return the error code of the rest."""
        refused: dict[int, str] = {}
        while True:
            lines = _PROLOGUE.strip().splitlines()
            owners: dict[int, int] = {}
            body = ["static class E {"]
            for number, source in enumerate(sources):
                if number in refused:
                    continue
                inner = source[2:-1]
                code = f"return (object)({inner});" if source.startswith("@(") else inner
                for line in f"public static object E{number}() {{\n{code}\n}}".split("\n"):
                    body.append(line)
                    owners[len(lines) + len(body)] = number
            body.append("}")
            calls = [f"Run({n}, E.E{n});" for n in range(len(sources)) if n not in refused]
            text = "\n".join([*lines, *body, _MAIN, *calls, "} }"])
            file = program.with_suffix(".cs")
            file.write_text(text, "utf-8")
            done = subprocess.run(
                ["mcs", "-langversion:7.2", "-nowarn:0219,0162,0168,1718,0252,0253,0183,0184,0472,0464,0649", f"-out:{program}",
                 f"-r:{self.json_net}", "-r:System.Xml.Linq.dll", str(file)],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            found = {}
            for line, code in re.findall(r"\((\d+),\d+\+?\): error (CS\d+)", done.stdout + done.stderr):
                owner = owners.get(int(line))
                if owner is None:
                    raise RuntimeError(done.stdout + done.stderr)
                found.setdefault(owner, code)
            if done.returncode == 0:
                return refused
            if not found:
                raise RuntimeError(done.stdout + done.stderr)
            refused.update(found)

    @staticmethod
    def _run(command: list[str], name: str, answers: list[dict[str, dict]]) -> None:
        done = subprocess.run(
            command, capture_output=True, check=False, timeout=300,
            env={"TZ": "UTC", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": "/tmp"},
        )  # fmt: skip
        for line in done.stdout.decode("utf-8").splitlines():
            answer = json.loads(line)
            answers[answer.pop("n")][name] = answer
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode()[-2000:])
