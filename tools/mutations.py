"""Break conditions at random, one at a time, and report whether a related test fails.

    .venv/bin/python -m pip install --target var/mutmut --no-deps mutmut==3.8.1 libcst==1.9.0
    PYTHONPATH=var/mutmut .venv/bin/python -m tools.mutations 200 --seed 1

mutmut swaps comparisons and swaps `and` with `or`. It removes `not` and arguments of filters, and forces
either branch of a conditional expression. This script also removes an operand of `and` or `or`. It breaks
functions of services, queries, exports, rules of extras, `league/core` and `scoring`.

The related tests are the room's tests that reach the function. The room's tests run once to find them. They
run again for each mutation, in a process forked from one that has imported everything.
"""

import argparse
import ast
import builtins
import gc
import json
import os
import random
import resource
import signal
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import django
import libcst as cst
import pytest
from mutmut.mutation import mutators

LAYERS = ("services*", "queries*", "exports*")
PLACES = (
    *(f"league/*/*/{layer}" for layer in LAYERS),
    "league/extras/*/rules",
    "league/core",
    "scoring",
)
TESTS_BESIDE = {"league/core": ("tests/test_access_matrix.py", "tests/test_hidden_rounds.py")}
FILTERS = ("filter", "exclude", "Q", "get")
OUTPUT = "var/mutations.txt"  # of the last tests
LONGEST = 3600  # seconds, for a mutation that waits for something
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
HOOK = "reached_by_a_test"
QUICK = ("-m", "not slow")


@dataclass(frozen=True)
class Mutation:
    path: str
    function: str  # the outermost one, with its class
    source: str  # the whole file

    @property
    def room(self) -> str:
        parts = Path(self.path).parts
        return "/".join(parts[: 1 if parts[0] == "scoring" else 2 if parts[1] == "core" else 3])

    @property
    def diff(self) -> str:
        """Return the changed lines with one line around them."""
        now, then = Path(self.path).read_text().splitlines(), self.source.splitlines()
        return "\n".join([*unified_diff(now, then, lineterm="", n=1)][2:])


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("number", type=int, help="how many mutations to choose")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[""], metavar="PATH", help="only paths that begin so")
    parser.add_argument("--quick", action="store_true", help="run no slow tests")
    parser.add_argument("--again", metavar="FILE", help="only those that survived in this report")
    parser.add_argument("--report", metavar="FILE", default="var/mutations.jsonl")
    arguments = parser.parse_args(words)
    sample = _choose(arguments.number, arguments.seed)
    chosen = [each for each in sample if each.path.startswith(tuple(arguments.only))]
    if arguments.again:
        rows = map(json.loads, Path(arguments.again).read_text().splitlines())
        survivors = {(row["path"], row["diff"]) for row in rows if row["verdict"] != "found"}
        chosen = [each for each in chosen if (each.path, each.diff) in survivors]
    _import_all({each.path for each in chosen})
    verdicts: Counter[str] = Counter()
    with Path(arguments.report).open("w") as report:
        for mutation, verdict, tests in _verdicts(chosen, QUICK if arguments.quick else ()):
            verdicts[verdict] += 1
            facts = {"path": mutation.path, "diff": mutation.diff}
            report.write(json.dumps({"verdict": verdict, "tests": tests} | facts) + "\n")
            report.flush()
            _say(f"{verdict}, {tests} tests: {mutation.path} {mutation.function}")
            if verdict != "found":
                _say(mutation.diff)
    _say(", ".join(f"{number} {verdict}" for verdict, number in verdicts.items()))
    return 0 if verdicts["found"] == len(chosen) else 1


def _choose(number: int, seed: int) -> list[Mutation]:
    files = sorted({file for place in PLACES for found in Path().glob(place) for file in _modules(found)})
    sites = [(file, place) for file in files for place in range(len(_mutations(file)))]
    chosen = random.Random(seed).sample(sites, min(number, len(sites)))  # noqa: S311 - no secret
    return [_mutations(file)[place]() for file, place in sorted(chosen)]


def _modules(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


@cache
def _mutations(file: Path) -> list[Callable[[], Mutation]]:
    tree: Any = cst.parse_module(file.read_text())

    def mutate(function: str, node: cst.CSTNode, other: cst.CSTNode) -> Callable[[], Mutation]:
        return lambda: Mutation(str(file), function, tree.deep_replace(node, other).code)

    return [mutate(*found) for found in _conditions(tree, "", inside=False)]


def _conditions(node: Any, name: str, *, inside: bool) -> Iterator[tuple[str, cst.CSTNode, cst.CSTNode]]:
    if isinstance(node, cst.FunctionDef | cst.ClassDef) and not inside:
        name = f"{name}.{node.name.value}".removeprefix(".")
        inside = isinstance(node, cst.FunctionDef)
    elif inside:
        yield from ((name, node, other) for other in _broken(node))
    for child in node.children:
        yield from _conditions(child, name, inside=inside)


def _broken(node: Any) -> Iterator[cst.CSTNode]:
    match node:
        case cst.BooleanOperation():
            yield from (*mutators.operator_swap_op(node), node.left, node.right)
        case cst.ComparisonTarget():
            opposite = mutators.operator_keywords(node.operator)
            yield from mutators.operator_swap_op(node)
            yield from (node.with_changes(operator=each) for each in opposite)
        case cst.UnaryOperation(operator=cst.Not()):
            yield from mutators.operator_remove_unary_ops(node)
        case cst.IfExp():
            yield from mutators.operator_if_exp(node)
        case cst.Call(func=cst.Attribute(attr=cst.Name(called)) | cst.Name(called)) if called in FILTERS:
            if called == "get" and not all(each.keyword for each in node.args):
                return  # of a dictionary
            shorter = mutators.operator_arg_removal(node)
            yield from (each for each in shorter if len(each.args) < len(node.args))


def _import_all(paths: Iterable[str]) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    for plugin in entry_points(group="pytest11"):
        plugin.load()
    _import(["league/urls.py", *sorted(paths), "tests/conftest.py"])


def _import(paths: Iterable[str]) -> None:
    for path in paths:
        import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))


def _verdicts(mutations: Sequence[Mutation], options: Sequence[str]) -> Iterator[tuple[Mutation, str, int]]:
    by_room = defaultdict(list)
    for mutation in mutations:
        by_room[mutation.room].append(mutation)
    for room, in_room in by_room.items():
        functions = {(each.path, each.function) for each in in_room}
        files = _tests_of(room)
        _import(files)
        with tempfile.TemporaryDirectory() as folder:
            reached = Path(folder, "reached.json")
            status, seconds = _forked(lambda: _find_tests(files, functions, reached, options), 3600)  # noqa: B023
            tests = json.loads(reached.read_text())
        _say(f"{room}: {sum(map(len, tests.values()))} tests, status {status}, {seconds:.0f} s")
        for mutation in in_room:
            related = tests.get(f"{mutation.path} {mutation.function}", [])
            limit = int(20 + 3 * seconds)
            status = _forked(lambda: _try(mutation, related), limit)[0] if related else 0  # noqa: B023
            yield mutation, _verdict(status), len(related)


def _verdict(status: int) -> str:
    if status < 0:
        return "timeout"  # its process was ended by a signal
    return "survived" if status == 0 else "error" if status > 2 else "found"


def _forked(run: Callable[[], int], limit: int) -> tuple[int, float]:
    """Return the status of `run` in a process of its own, and its seconds of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = os.fork()
    if not process:
        status = 99
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            signal.alarm(LONGEST)
            with Path(OUTPUT).open("w") as output:
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
            status = run()
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _tests_of(room: str) -> list[str]:
    return [*map(str, sorted(Path("tests", room).rglob("test_*.py"))), *TESTS_BESIDE.get(room, ())]


def _find_tests(
    files: Sequence[str], functions: Iterable[tuple[str, str]], answer: Path, options: Sequence[str]
) -> int:
    found = Reach()
    for path, function in functions:
        _swap(path, function, _with_hook(path, function))
    setattr(builtins, HOOK, found.note)
    status = _pytest(files, found, *options)
    answer.write_text(json.dumps({key: found.tests(places) for key, places in found.reached.items()}))
    return status


def _try(mutation: Mutation, tests: Sequence[str]) -> int:
    _swap(mutation.path, mutation.function, compile(mutation.source, _file(mutation.path), "exec"))
    return _pytest(sorted({test.split("::")[0] for test in tests}), Only(set(tests)), "-x")


def _pytest(files: Iterable[object], plugin: object, *options: str) -> int:
    return pytest.main(["-q", "-p", "no:cacheprovider", *options, *map(str, files)], [plugin])


class Only:
    """Plugin that runs only some tests."""

    def __init__(self, tests: set[str]) -> None:
        self.wanted = tests

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.wanted]


class Reach:
    """Plugin that notes which tests reach a function. A fixture counts for all tests of its file."""

    def __init__(self) -> None:
        self.reached: dict[str, set[str]] = defaultdict(set)
        self.passed: list[str] = []
        self.place = ""

    def note(self, key: str) -> None:
        self.reached[key].add(self.place)

    def tests(self, places: set[str]) -> list[str]:
        return [test for test in self.passed if places & {"", test, test.split("::")[0]}]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.place = item.nodeid.split("::")[0]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        self.place = item.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        self.place = item.nodeid.split("::")[0]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.passed.append(report.nodeid)


def _with_hook(path: str, function: str) -> CodeType:
    tree = ast.parse(Path(path).read_text())
    places: list[Any] = [tree]
    for name in function.split("."):
        inside = [each for place in places for each in ast.walk(place) if isinstance(each, DEFINITIONS)]
        places = [each for each in inside if each.name == name]
    for place in places:
        place.body.insert(0, *ast.parse(f"{HOOK}({f'{path} {function}'!r})").body)
    return compile(ast.fix_missing_locations(tree), _file(path), "exec")


def _swap(path: str, function: str, module: CodeType) -> None:
    """Give the functions of this name, decorated or not, the code that they have in another version."""
    codes = {code.co_firstlineno: code for code in _codes(module) if code.co_qualname == function}
    functions = [each for each in gc.get_objects() if isinstance(each, FunctionType)]
    here = [each for each in functions if each.__code__.co_filename == _file(path)]
    same = [each for each in here if each.__code__.co_qualname == function]
    assert same, f"{path} has no function {function}."
    for each in same:
        each.__code__ = codes[each.__code__.co_firstlineno]


def _file(path: str) -> str:
    return str(Path(path).resolve())


def _codes(code: CodeType) -> Iterator[CodeType]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from _codes(part)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
