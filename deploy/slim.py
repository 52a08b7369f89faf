"""Leave of an environment what the service opens: run it with the environment's Python.

Libraries bring their tests, what C and type checkers read, and names of currencies in 300
languages. These go, with pip and what builds; bytecode is written of the modules that are used, not
of all. `make venv` and the image call this for a server; an environment for tests stays whole.
"""

import ast
import pickle
import shutil
import site
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

OURS = ("engine", "pbem", "templates", "workers")
LACKING = ("pbem.demo", "pbem.conformance", "pbem.store.migrations")
"""What wants libraries that a server lacks, or runs only within Alembic."""
OPTIONAL = frozenset({"redis"})
"""What a server on one machine lacks, and never imports."""
BUILDERS = ("-r", "requirements-build.lock", "setuptools", "pip")
UNOPENED = (
    *("*/tests", "*/*/tests", "numpy/_core/*_tests.*.so", "numpy/f2py", "numpy/distutils"),
    *("lxml/objectify.*.so", "lxml/isoschematron", "sqlalchemy/testing", "telegram/ext"),
    *(
        "PIL/_avif.*.so",
        "pillow.libs/libavif-*",
        "pygments/lexers/[!_p]*",
        "pygments/lexers/p[!y]*",
    ),
    *(f"**/*.{end}" for end in "pyi pyx pxd pxi h hpp c cpp a f f90".split()),
)
"""Of AVIF Pillow itself says that it cannot read it; Rich colours Python alone, in tracebacks."""
READ_IN_LISTS = frozenset({"en", "nl", "de", "fr", "es", "it", "pt"})
"""The lists of words that `pbem/grammar/kit/common.py` reads."""
UNTOLD = frozenset(
    {
        *("unit_patterns", "unit_display_names", "compound_unit_patterns", "measurement_systems"),
        *("currency_names", "currency_names_plural", "currency_symbols", "currency_formats"),
        *("compact_decimal_formats", "compact_currency_formats", "currency_unit_patterns"),
        *("meta_zones", "time_zones", "date_fields", "interval_formats", "day_period_rules"),
    }
)
"""What Babel knows of every language and no date, language or country is told with."""


def drop_unopened(packages: Path) -> None:
    """Delete what no import reaches, and lists of words in languages that nobody asks for."""
    for pattern in UNOPENED:
        for found in packages.glob(pattern):
            if found.is_dir():
                shutil.rmtree(found)
            else:
                found.unlink()
    for words in packages.glob("spellchecker/resources/*.json.gz"):
        if words.name.partition(".")[0] not in READ_IN_LISTS:
            words.unlink()
    for file in packages.glob("babel/locale-data/*.dat"):
        told = pickle.loads(file.read_bytes())  # noqa: S301 -- as Babel itself reads it
        kept = {key: value for key, value in told.items() if key not in UNTOLD}
        file.write_bytes(pickle.dumps(kept, pickle.HIGHEST_PROTOCOL))


def imports(source: Path) -> Iterator[str]:
    """Every module that a file of ours names, also within functions."""
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def compile_used(house: Path) -> None:
    """Import all that a server can come to import, which writes its bytecode. What cannot be
    imported is told: the painter may lack its libraries.
    """
    files = [file for top in OURS for file in (house / top).rglob("*.py")]
    served = {
        name: file
        for file in files
        if file.stem != "__main__"
        for name in [".".join(file.relative_to(house).with_suffix("").parts)]
        if not name.startswith(LACKING)
    }
    named = {name for file in served.values() for name in imports(file)}
    ours = {name.removesuffix(".__init__") for name in served}
    for name in sorted(ours | {name for name in named if not name.startswith(LACKING)}):
        try:
            import_module(name)
        except ImportError as error:
            if error.name not in OPTIONAL:
                print(f"{name}: {error}", file=sys.stderr)


def main() -> None:
    """Run in the repository, with the package installed."""
    sys.dont_write_bytecode = False
    house = Path(__file__).parents[1]
    for folder in site.getsitepackages():
        drop_unopened(Path(folder))
    compile_used(house)
    pip = (sys.executable, "-m", "pip", "uninstall", "--quiet", "--yes", *BUILDERS)
    subprocess.run(pip, cwd=house, check=True)  # noqa: S603 -- our own words


if __name__ == "__main__":
    main()
