#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts how many of the original library's own gtest files compile against this one as they are, how many tests pass, and
which of its demos compile.

    ninja -C build kuiper_infer
    python3 tools/check_original.py FOLDER [--build build] [--jobs 2] [--limit 120] [--expect FILES TESTS] [--expect-demos DEMOS]

Below FOLDER, every folder that has a subfolder `test` is a project: a checkout of KuiperInfer, each course of KuiperDatawhale.
The files are not part of this repository. They are compiled unchanged, with both of their ways to name a header:
"data/tensor.hpp", and "../../source/layer/details/relu.hpp" relative to the file. For the relative form, the project is mirrored
by links, with our include/kuiper_infer as `source`.
Each file becomes a program of its own; a project's test_main.cpp is its main function.
A file that does not compile is tried again with KUIPER_NEWER_SPELLING, as docs/porting.md advises; the table then says `newer`.

A program runs in a folder that shows the project's files and the files beside the project (tmp/add/x.csv,
course3/model_file/x.param), for at most --limit seconds. If it dies, its tests run one by one. A failed test is reported as
`model file absent` if its source names a file that does not exist there. Tests of files that do not compile count as failed.

Every folder below a folder `demos` is a program of its own, with the files of `demos` whose headers it includes. It is compiled
and linked, but not run, since its model files are absent. Most need OpenCV (Debian: libopencv-dev). "../source/..." is found beside
an empty folder `include`, which is on the path as in the original's build.

Exit status: 0 if all were counted, 1 if there are fewer files, tests or demos than expected, 2 if nothing could be counted.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

CONSUMER = "test/zoo_test"  # The target whose flags are used: like a user's program, it links the library and gtest and nothing else.
NEWER_SPELLING = "-DKUIPER_NEWER_SPELLING"
TEST = re.compile(r"^TEST(?:_F)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)
MODEL_FILE = re.compile(r'"([\w./-]+\.(?:param|bin|csv|jpg))"')
ERROR_LINE = re.compile(r"error: .*|undefined reference to .*")


@dataclasses.dataclass
class Flags:
    compile: list
    link: list


@dataclasses.dataclass
class Result:
    """The outcome of one source file; `failures` maps a test (or "" for the whole file) to a reason of one line."""
    name: str
    compiles: str  # yes, no, or newer: only with NEWER_SPELLING.
    tests: int
    failures: dict

    @property
    def passed(self):
        return self.tests - len(self.failures) if self.compiles != "no" else 0


def consumer_flags(build):
    """Returns the flags with which CMake would compile and link a user's program, with absolute paths."""
    source = f"/{pathlib.Path(CONSUMER).name}.cpp"
    entry = next(e for e in json.loads((build / "compile_commands.json").read_text()) if e["file"].endswith(source))
    own = {str(pathlib.Path(entry["file"]).parents[2] / folder) for folder in ("source", "test")}
    words = [w for w in shlex.split(entry["command"]) if w.startswith(("-D", "-I")) and w[2:] not in own]
    linked = subprocess.run(["ninja", "-C", build, "-t", "commands", CONSUMER], check=True, capture_output=True, text=True)
    words_after_output = shlex.split(linked.stdout.splitlines()[-1].split(f"-o {CONSUMER}")[1].split("&&")[0])
    link = [str(build / w) if (build / w).is_file() else w for w in words_after_output]
    includes = [pathlib.Path(w[2:]) for w in words if w.startswith("-I")]
    headers = next(i for i in includes if (i / "data" / "tensor.hpp").is_file())
    return Flags(["-std=c++17", "-O1", "-w", "-fopenmp", *words], link), headers


def mirror(project, headers, place):
    """Links to the project's test files under real folders, so that ".." leads to the mirror. Returns the folder that tests run in."""
    shutil.copytree(project / "test", place / "test", copy_function=os.symlink)
    (place / "source").symlink_to(headers)
    working = place / "working"
    (working / "log").mkdir(parents=True)
    for entry in [*project.iterdir(), *project.parent.iterdir()]:
        if not (working / entry.name).exists():
            (working / entry.name).symlink_to(entry)
    return working


def one_line(text):
    """Returns the beginning of a message without the folder of the mirror."""
    return re.sub(r"\S*/project\d+/", "", " ".join(text.split()))[:200]


def build_program(arguments, program, flags):
    """Compiles and links the sources among the arguments; returns the first error in one line, or None."""
    done = subprocess.run(["c++", *flags.compile, *arguments, "-o", program, *flags.link], capture_output=True, text=True)
    if done.returncode == 0:
        return None
    found = ERROR_LINE.search(done.stderr)
    return one_line(found.group(0) if found else done.stderr)


def run_tests(program, working, limit, only=None):
    """Returns {test: None or reason} for the tests that ran to their end, or one string that says how the program died."""
    report = program.with_suffix(".json")
    report.unlink(missing_ok=True)
    command = [program, f"--gtest_output=json:{report}", f"--gtest_filter={only or '*'}"]
    try:
        done = subprocess.run(command, cwd=working, timeout=limit, capture_output=True, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return f"no end within {limit} s"
    if not report.is_file():
        fatal = re.search(r"^F\d+ .*|^terminate called.*\n.*", done.stderr, re.MULTILINE)
        return one_line(f"died with status {done.returncode}: {fatal.group(0) if fatal else ''}")
    cases = [case for suite in json.loads(report.read_text())["testsuites"] for case in suite["testsuite"]]
    return {f"{case['classname']}.{case['name']}": one_line(case["failures"][0]["failure"]) if "failures" in case else None
            for case in cases if case["result"] == "COMPLETED"}


def absent_files(text, working):
    """Returns {test: a file that its source names but that does not exist}."""
    tests = list(TEST.finditer(text))
    ends = [t.start() for t in tests[1:]] + [len(text)]
    found = {}
    for test, end in zip(tests, ends):
        missing = [f for f in MODEL_FILE.findall(text[test.end():end]) if not (working / f).exists()]
        if missing:
            found[".".join(test.groups())] = missing[0]
    return found


def check_file(source, name, main, working, programs, flags, limit):
    text = source.read_text()
    tests = [".".join(match.groups()) for match in TEST.finditer(text)]
    program = programs / name.replace("/", "_").replace(".cpp", "")
    sources = [source] if main in (None, source) else [source, main]
    error = build_program(sources, program, flags)
    if error and build_program([NEWER_SPELLING, *sources], program, flags):
        return Result(name, "no", len(tests), {"": error})
    outcome = run_tests(program, working, limit)
    if isinstance(outcome, str):
        outcome = {}
        for test in tests:
            alone = run_tests(program, working, limit, only=test)
            outcome.update({test: alone} if isinstance(alone, str) else alone)
    absent = absent_files(text, working)
    reasons = {test: outcome.get(test, "did not run") for test in tests}
    failures = {t: f"model file absent: {absent[t]}" if t in absent else reason for t, reason in reasons.items() if reason}
    return Result(name, "newer" if error else "yes", len(tests), failures)


def check_folder(folder, flags, headers, scratch, jobs, limit):
    programs = scratch / "programs"
    programs.mkdir()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = []
        for number, tests in enumerate(sorted(t for t in folder.rglob("test") if t.is_dir())):
            place = scratch / f"project{number}"
            working = mirror(tests.parent, headers, place)
            main = place / "test" / "test_main.cpp"
            for source in sorted((place / "test").rglob("*.cpp")):
                name = str(tests.parent.relative_to(folder) / source.relative_to(place))
                waiting.append(pool.submit(check_file, source, name, main if main.exists() else None, working, programs, flags, limit))
        return [w.result() for w in waiting]


def opencv_flags(sources):
    """Returns the compiler's and the linker's flags for OpenCV; empty for programs that don't include it."""
    if not any("opencv2/" in source.read_text() for source in sources):
        return [], []
    found = [subprocess.run(["pkg-config", option, "opencv4"], capture_output=True, text=True) for option in ("--cflags", "--libs")]
    return tuple(shlex.split(each.stdout) for each in found)


def check_demo(demo, programs, flags):
    """Returns the first error of a demo in one line, or None."""
    sources = sorted(demo.glob("*.cpp"))
    included = "".join(source.read_text() for source in sources)
    sources += [s for s in sorted(demo.parent.glob("*.cpp")) if f'"../{s.stem}.hpp"' in included]
    compiling, linking = opencv_flags(sources)
    own = Flags([*flags.compile, *compiling, f"-I{demo.parent.parent / 'include'}"], [*linking, *flags.link])
    return build_program(sources, programs / demo.name, own)


def check_demos(folder, flags, headers, scratch, jobs):
    """Returns {demo: None or its first error}."""
    waiting = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for number, demos in enumerate(sorted(d for d in folder.rglob("demos") if d.is_dir())):
            place = scratch / f"demos{number}"
            shutil.copytree(demos, place / "demos", copy_function=os.symlink)
            (place / "source").symlink_to(headers)
            (place / "include").mkdir()
            programs = place / "programs"
            programs.mkdir()
            for demo in sorted(d for d in (place / "demos").iterdir() if d.is_dir() and any(d.glob("*.cpp"))):
                name = str(demos.parent.relative_to(folder) / demo.relative_to(place))
                waiting[name] = pool.submit(check_demo, demo, programs, flags)
    return {name: result.result() for name, result in waiting.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "build")
    parser.add_argument("--jobs", type=int, default=2, help="files compiled and run at once")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one program")
    parser.add_argument("--expect", type=int, nargs=2, metavar=("FILES", "TESTS"), default=(0, 0))
    parser.add_argument("--expect-demos", type=int, metavar="DEMOS", default=0)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if not (build / "source" / "libkuiper_infer.a").is_file():
        print(f"{build} has no library: run ninja -C {build} kuiper_infer", file=sys.stderr)
        return 2
    flags, headers = consumer_flags(build)
    folder = arguments.folder.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        results = check_folder(folder, flags, headers, pathlib.Path(scratch), arguments.jobs, arguments.limit)
        demos = check_demos(folder, flags, headers, pathlib.Path(scratch), arguments.jobs)
    if not results and not demos:
        print(f"no folder named test or demos with .cpp files below {arguments.folder}", file=sys.stderr)
        return 2
    width = max((len(r.name) for r in results), default=0)
    print(f"{'file':{width}}  compiles  tests  passed")
    for r in results:
        print(f"{r.name:{width}}  {r.compiles:>8}  {r.tests:5}  {r.passed:6}")
    print("\nfailures")
    for r in results:
        for test, reason in r.failures.items():
            print(f"{r.name} {test or 'does not compile'}: {reason}")
    files, tests = sum(r.compiles != "no" for r in results), sum(r.passed for r in results)
    newer = sum(r.compiles == "newer" for r in results)
    print(f"\n{files} of {len(results)} files compile ({newer} of them with KUIPER_NEWER_SPELLING),")
    print(f"{tests} of {sum(r.tests for r in results)} tests pass")
    for demo, error in demos.items():
        print(f"{demo}: {error or 'compiles'}")
    compiling = sum(error is None for error in demos.values())
    print(f"{compiling} of {len(demos)} demos compile")
    return int(files < arguments.expect[0] or tests < arguments.expect[1] or compiling < arguments.expect_demos)


if __name__ == "__main__":
    sys.exit(main())
