#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Executes the Dockerfile of this folder without Docker: each stage in a folder that debootstrap fills, then the service as in
a container, with its user and variables, a file system that can't be written, and a network of its own.

    sudo tools/deploy/check_dockerfile.py WORK [--wheel FILE] [--base FOLDER] [--bind FOLDER ...] [--pass VARIABLE ...]

WORK is a folder for the stages, which stay there. Needs debootstrap and iproute2. --wheel takes a wheel for what the first
stage builds, which needs a quarter of an hour; --base takes a folder that debootstrap has filled. --bind and --pass show
folders (to be read only) and variables of this machine to the steps. Don't bind a folder that a package writes, such as
/etc/ssl/certs: a proxy's certificate is best copied into a folder of its own.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MIRROR = "http://deb.debian.org/debian"
AFFINE = """7767517
3 2
pnnx.Input x 0 1 0 #0=(1,3)f32
pnnx.Expression affine 1 1 0 1 expr=add(mul(@0,2.0),1.0) #0=(1,3)f32 #1=(1,3)f32
pnnx.Output y 1 0 1 #1=(1,3)f32
"""
# The script that runs in the container's network: it waits for the health check, asks for a result, and ends the service.
TRIAL = """
ip link set lo up
{service} &
pid=$!
for _ in $(seq 100); do {check} 2>/dev/null && break; sleep 0.3; done
{check} && {ask}
status=$?
{write} && {{ echo 'the file system could be written'; status=1; }}
kill -TERM $pid; wait $pid || status=1
exit $status
"""
ASK = """import json, urllib.request as r
body = json.dumps({"inputs": [{"name": "x", "shape": [1, 3], "datatype": "FP32", "data": [1, 2, 3]}]}).encode()
told = json.load(r.urlopen("http://127.0.0.1:8080/v2/models/affine/infer", body, timeout=10))
assert told["outputs"][0]["data"] == [3, 5, 7], told
print("the service answers", told)"""


class Stage:
    """A stage: its folder and the settings that its instructions have made so far."""

    def __init__(self, folder, options):
        self.folder, self.options = folder, options
        self.environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        self.workdir, self.user, self.check, self.entry = "/", "0:0", [], []

    def copy(self, words, stages):
        source = ROOT
        if words[0].startswith("--from="):
            source = stages[words.pop(0).removeprefix("--from=")].folder
        *names, target = words
        into = self.folder / os.path.join(self.workdir, target).lstrip("/")
        for name in names:
            path = source / name.lstrip("/")
            place = into if path.is_dir() or not (target.endswith("/") or len(names) > 1) else into / path.name
            place.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                shutil.copytree(path, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(path, place)

    def inside(self, command):
        """Returns the command line that runs a command in the stage's folder, as its user and with its variables."""
        variables = self.environment | {name: os.environ[name] for name in self.options.passed if name in os.environ}
        settings = [f"{name}={value}" for name, value in variables.items()]
        words = ["chroot", f"--userspec={self.user}", str(self.folder), "/usr/bin/env", "-i", *settings]
        return [*words, "/bin/sh", "-c", f'cd {shlex.quote(self.workdir)} && exec "$@"', "sh", *command]

    def isolated(self, script, *namespaces):
        """Runs a script in this machine's shell and returns its exit status. The script has mounts and processes of its own;
        the folders of --bind are mounted read-only."""
        mounts = ["set -e", f"mount -t proc proc {shlex.quote(str(self.folder / 'proc'))}"]
        for path in self.options.bind:
            (self.folder / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
            place = shlex.quote(str(self.folder / path.lstrip("/")))
            mounts += [f"mount --bind {shlex.quote(path)} {place}", f"mount -o remount,bind,ro {place}"]
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", *namespaces, "sh", "-c"]
        return subprocess.run([*command, "\n".join([*mounts, script])], check=False).returncode

    def run(self, command):
        print("RUN", command, flush=True)
        shutil.copy2("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        status = self.isolated(shlex.join(self.inside(["/bin/sh", "-c", command])))
        if status != 0:
            sys.exit(f"check_dockerfile: the step ended with {status}")

    def serve(self, models):
        """Runs the service over a folder of models, on a read-only file system."""
        writing = "for folder in /tmp /models /opt; do touch $folder/written 2>/dev/null && exit; done; false"
        script = TRIAL.format(
            service=shlex.join(self.inside(self.entry)),
            check=shlex.join(self.inside(self.check)),
            ask=shlex.join(self.inside(["python3", "-c", ASK])),
            write=shlex.join(self.inside(["sh", "-c", writing])),
        )
        root = shlex.quote(str(self.folder))
        (self.folder / "models").mkdir(exist_ok=True)
        mounts = f"""mount --bind {shlex.quote(str(models))} {root}/models; mount -o remount,bind,ro {root}/models
mount --rbind {root} {root}; mount -o remount,bind,ro {root}; set +e"""
        return self.isolated(mounts + script, "--net")


def instructions():
    text = re.sub(r"^#.*\n", "", (pathlib.Path(__file__).parent / "Dockerfile").read_text(), flags=re.M)
    for line in text.replace("\\\n", " ").splitlines():
        if line:
            yield line.partition(" ")[0], line.partition(" ")[2]


def build(options):
    """Executes the instructions; returns the last stage."""
    base = options.base or options.work / "base"
    if not base.exists():
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(base), MIRROR], check=True)
    stages, stage, skipped = {}, None, False
    for word, rest in instructions():
        words = shlex.split(rest)
        if word == "FROM":
            assert words[0] == "debian:bookworm-slim", f"debootstrap makes no {words[0]}"
            name = words[2] if len(words) > 2 else "last"
            stage = stages[name] = Stage(options.work / name, options)
            skipped = name == "build" and options.wheel is not None
            shutil.rmtree(stage.folder, ignore_errors=True)
            if skipped:
                (stage.folder / "source/dist").mkdir(parents=True)
                shutil.copy2(options.wheel, stage.folder / "source/dist")
            else:
                subprocess.run(["cp", "-a", str(base), str(stage.folder)], check=True)
        elif skipped or word == "EXPOSE":
            continue
        elif word == "COPY":
            stage.copy(words, stages)
        elif word == "RUN":
            stage.run(rest)
        elif word == "ENV":
            stage.environment |= dict(each.split("=", 1) for each in words)
        elif word == "WORKDIR":
            stage.workdir = words[0]
            (stage.folder / words[0].lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "USER":
            stage.user = words[0]
        elif word == "HEALTHCHECK":
            stage.check = json.loads(rest.partition("CMD ")[2])
        elif word == "ENTRYPOINT":
            stage.entry = json.loads(rest)
        else:
            sys.exit(f"check_dockerfile: it doesn't know the instruction {word}")
    return stage


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--wheel", type=pathlib.Path)
    parser.add_argument("--base", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--bind", action="append", default=[])
    parser.add_argument("--pass", dest="passed", action="append", default=[])
    options = parser.parse_args()
    models = options.work / "models/affine/1"
    models.mkdir(parents=True, exist_ok=True)
    (models / "model.pnnx.param").write_text(AFFINE)
    zipfile.ZipFile(models / "model.pnnx.bin", "w").close()
    status = build(options).serve(options.work / "models")
    print("the Dockerfile's service works" if status == 0 else "the Dockerfile's service failed")
    sys.exit(status)


if __name__ == "__main__":
    main()
