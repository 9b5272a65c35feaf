"""Record what MindSpore answers: python tests/conformance/record.py [NAME...]

To be run with a Python that has MindSpore 2.10. Many cases share a process; one that ends its
process, or hangs, is asked again in one of its own, and recorded as what it did.
"""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
DISTURBED = "The actor already exists"  # after the error of another case
WRITTEN = tempfile.gettempdir()  # MindSpore leaves files of its errors where it runs
TOGETHER, WORKERS, PATIENCE = 30, 2, 60  # cases, processes, seconds


def asked(names):
    """Answers of some cases from one process, as far as it got, and how it ended."""
    command = [sys.executable, HERE / "answers.py", "mindspore", *names]
    quiet = os.environ | {"GLOG_v": "4", "PYTHONWARNINGS": "ignore"}
    process = subprocess.Popen(
        command, cwd=WRITTEN, env=quiet, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    lines: queue.Queue = queue.Queue()
    threading.Thread(target=_told, args=(process.stdout, lines)).start()
    threading.Thread(target=process.stderr.read).start()
    found = {}
    while True:
        try:
            line = lines.get(timeout=PATIENCE)
        except queue.Empty:
            process.kill()
            process.wait()
            return found, "does not come back"
        if line is None:
            return found, f"ends the process with code {process.wait()}"
        if line.startswith('["'):
            name, answers = json.loads(line)
            found[name] = answers


def _told(stream, lines):
    for line in stream:
        lines.put(line)
    lines.put(None)


def ask_all(names):
    """Answers of all cases; those that end a process are asked alone."""
    found = {}
    while names:
        some, ended = asked(names)
        found |= some
        for name in some:
            if DISTURBED in json.dumps(some[name]):
                alone(name, found)
        left = [name for name in names if name not in some]
        if left and left[0] == names[0]:
            found[left.pop(0)] = [{"ended": ended}]
        elif left:
            left = [*left[1:]] if alone(left[0], found) else left
        names = left
    return found


def alone(name, found):
    """Ask one case in a process of its own."""
    some, ended = asked([name])
    found[name] = some.get(name, [{"ended": ended}])
    return True


def main(names):
    """Ask MindSpore, and write what it answers beside what is recorded of the other cases."""
    wanted = subprocess.run(
        [sys.executable, "-c", "import answers, json; print(json.dumps([*answers.declare()]))"],
        cwd=HERE, env=os.environ | {"GLOG_v": "4"}, stdout=subprocess.PIPE, check=True, text=True,
    )  # fmt: skip
    known = json.loads(wanted.stdout.splitlines()[-1])
    found = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    names = names or known
    batches: queue.Queue = queue.Queue()
    for start in range(0, len(names), TOGETHER):
        batches.put(names[start : start + TOGETHER])

    def work():
        while not batches.empty():
            batch = batches.get()
            found.update(ask_all(batch))
            print(f"{batch[0]} ... {batch[-1]}", flush=True)

    workers = [threading.Thread(target=work) for _ in range(WORKERS)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    rows = [f"{json.dumps(name)}: {json.dumps(found[name])}" for name in known if name in found]
    RECORDED.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
