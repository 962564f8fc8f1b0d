#!/usr/bin/env python3
"""Runs the cases of OMG's interoperability tests of DDS (omg-dds/dds-rtps) between implementations of their shape_main.

  shapes.py NAME=COMMAND… [--part K/N] [--case REGEXP] [--samples N] [--jobs N] [--page FILE | --write FILE]

Each NAME is an implementation. Each case runs for the first of them as writer and as reader, with itself and with each other one, in a network
of its own (netns.sh). A case passes when every program comes to what the suite expects. --part runs every N-th case; --page holds
the table of a page against the results; --write writes it anew, between its marks.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).parent
NETNS = HERE / "netns.sh"
SAMPLE = re.compile(r"^(\w+)\s+(\w+)\s+(\d+) (\d+) \[(\d+)\](?: \{(\d+)\})?")
ENDED = re.compile(r"^\w+\s+(\w+)\s+(NOT_ALIVE_\w+)_INSTANCE_STATE")
MARKS = "<!-- shapes:begin -->\n", "<!-- shapes:end -->"

OK, INCOMPATIBLE, UNMATCHED, NOTHING, MISSED, ONE, BOTH = "ok", "incompatible", "not matched", "no data", "deadline missed", "from one", "from both"
WRONG, UNSUPPORTED = "wrong data", "not supported"


@dataclasses.dataclass(frozen=True)
class Case:
    """One case: the command lines of writers and of the reader, what each is to come to, and how the reader's samples are judged."""

    name: str
    writers: tuple
    reader: str
    expect: tuple
    judge: str = "any"

    @property
    def feature(self):
        return self.name.rsplit("_", 1)[0]


def cases():
    def case(name, writers, reader, expect=(OK, OK), judge="any"):
        writers = (writers,) if isinstance(writers, str) else writers
        topic = lambda words: words if "-t " in words else f"-t Square {words}".strip()
        return Case(name, tuple(topic(w) for w in writers), topic(reader), expect, judge)

    no, apart = (INCOMPATIBLE,) * 2, (UNMATCHED, NOTHING)
    yield case("Domain_0", "-d 0", "-d 0 -b")
    yield case("Domain_1", "-d 0", "-d 1", apart)
    yield case("Domain_2", "-d 1", "-d 1 -b")
    for n, (w, r, want) in enumerate([(1, 1, (OK, OK)), (1, 2, no), (2, 1, no), (2, 2, (OK, OK))]):
        yield case(f"DataRepresentation_{n}", f"-x {w}", f"-x {r}" + (" -b" if n == 3 else ""), want)
    yield case("Reliability_0", "-b -z 0", "-b", judge="order")
    yield case("Reliability_1", "-b", "-r", no)
    yield case("Reliability_2", "-r", "-b")
    yield case("Reliability_3", "-r", "-r")
    yield case("Reliability_4", "-r -k 0 -z 0", "-r -k 0", judge="lossless")
    yield case("Reliability_5", "-r -k 0 -z 0 --num-instances 4", "-r -k 0", judge="lossless")
    yield case("History_0", "-r -k 5 -z 0 --write-period 50", "-r -k 5 --read-period 200", judge="kept")
    yield case("History_1", "-r -k 5 -z 0 --write-period 50 --num-instances 4", "-r -k 5 --read-period 200", judge="kept")
    yield case("Ownership_0", "-s -1", "-s -1")
    yield case("Ownership_1", "-s -1", "-s 1", no)
    yield case("Ownership_2", "-s 3", "-s -1", no)
    for n, (s1, s2, c, want) in enumerate([(3, 4, "BLUE", ONE), (3, 4, "RED", BOTH), (-1, -1, "BLUE", BOTH), (-1, -1, "RED", BOTH)], 3):
        yield case(f"Ownership_{n}", (f"-s {s1} -r -k 0 -c BLUE -z 20", f"-s {s2} -r -k 0 -c {c} -z 30"), f"-s {1 if s1 > 0 else -1} -r -k 0",
                   (OK, OK, want), "sizes")
    for n, (w, want) in enumerate([(3000, (OK, OK)), (5000, (OK, OK)), (7000, no)]):
        yield case(f"Deadline_{n}", f"-f {w}", "-f 5000", want)
    yield case("Deadline_3", "-f 2000 -w --write-period 3000", "-f 2000", (MISSED, MISSED), "deadline")
    yield case("Topic_0", "-t Circle", "-t Circle")
    yield case("Topic_1", "-t Square", "-t Circle", apart)
    yield case("Partition_0", "-p p1", "-p p1")
    yield case("Partition_1", "-p p1", "-p p2", apart)
    yield case("Partition_2", ("-p p1 -c BLUE", "-p x1 -c RED"), "-p p*", (OK, UNMATCHED, ONE), "colors")
    n = 0
    for offer, offered in enumerate("vltp"):
        for ask, asked in enumerate("vltp"):
            # what stands beyond its writer's life is not offered by anything of ROS: see the page
            if offered in "vl":
                yield case(f"Durability_{n}", f"-D {offered}", f"-D {asked}", (OK, OK) if offer >= ask else no)
            n += 1
    yield case("Durability_16", "-z 0 -r -k 0 -D v -w", "-r -k 0 -D v", judge="late")
    yield case("Durability_17", "-z 0 -r -k 0 -D l -w", "-r -k 0 -D l", judge="first")
    for n, more in enumerate(["", " --num-instances 4"]):
        yield case(f"TimeBasedFilter_{n}", "-r -k 0 -z 0 --write-period 100" + more, "-r -k 0 --time-filter 1000", judge="thinned")
    for n, final in enumerate([" --final-instance-state u", " --final-instance-state d", ""]):
        yield case(f"FinalInstanceState_{n}", "--num-iterations 100 --num-instances 4" + final, "", judge="disposed" if n == 1 else "unregistered")
    yield case("LargeData_0", "-r -k 0 --additional-payload-size 100000", "-r -k 0", judge="large")
    for n in range(8):
        kind, keep = ("-r -k 0", "-r -k 0") if n < 4 else ("-b", "-b -k 0")
        write, lifespan, read = (100, 250, 500) if n % 4 < 2 else (400, 1000, 2000)
        more = " --num-instances 4" if n % 2 else ""
        yield case(f"Lifespan_{n}", f"{kind} -z 0 --write-period {write} --lifespan {lifespan}{more}", f"{keep} --read-period {read}", judge="expired")


class Program:
    """A running shape_main, and what it says."""

    def __init__(self, command, words):
        self.process = subprocess.Popen(shlex.split(command) + shlex.split(words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, errors="replace")
        self.lines, self.changed, self.ended = [], threading.Condition(), False
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.rstrip())
                self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def until(self, found, patience):
        """Waits until found(lines) is something, and returns that; None when the patience or the program is at its end."""
        end = time.monotonic() + patience
        with self.changed:
            while not (value := found(self.lines)):
                left = end - time.monotonic()
                if self.ended or left <= 0:
                    return None
                self.changed.wait(left)
        return value

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def first(lines, *kinds):
    """The first kind whose words are in the lines."""
    for line in lines:
        for kind, words in kinds:
            if re.search(words, line):
                return kind
    return None


def writer_code(p, judge, patience):
    found = p.until(lambda lines: first(lines, (OK, r"on_publication_matched"), (INCOMPATIBLE, "on_offered_incompatible_qos"),
                                        (UNSUPPORTED, "(?i)not supported")), patience)
    if found == OK and judge == "deadline":
        return p.until(lambda lines: first(lines, (MISSED, "on_offered_deadline_missed")), patience + 10) or OK
    return found or UNMATCHED


def samples(lines):
    """(color, size, last octet) of each sample."""
    return [(m[2], int(m[5]), m[6]) for line in lines if (m := SAMPLE.match(line))]


def of_first(lines):
    got = samples(lines)
    return sum(color == got[0][0] for color, _, _ in got) if got else 0


def by_color(got):
    sizes = {}
    for color, size, _ in got:
        sizes.setdefault(color, []).append(size)
    return sizes


def steps(sizes):
    return [b - a for a, b in zip(sizes, sizes[1:])]


def reader_code(p, judge, patience, number):
    found = p.until(lambda lines: first(lines, (OK, r"\[\d+\]"), (INCOMPATIBLE, "on_requested_incompatible_qos"),
                                        (UNSUPPORTED, "(?i)not supported")), patience)
    if found != OK:
        return found or NOTHING
    if judge in ("any", "late", "first"):
        size = samples(p.lines)[0][1]
        return OK if judge == "any" and size > 0 or judge == "late" and size >= 5 or judge == "first" and size == 1 else WRONG
    if judge == "deadline":
        return p.until(lambda lines: first(lines, (MISSED, "on_requested_deadline_missed")), patience + 10) or OK
    if judge in ("disposed", "unregistered"):
        words = {"disposed": "NOT_ALIVE_DISPOSED", "unregistered": "NOT_ALIVE_NO_WRITERS"}[judge]
        ended = lambda lines: {m[1] for line in lines if (m := ENDED.match(line)) and m[2] == words}
        return OK if p.until(lambda lines: len(ended(lines)) == 4 and ended(lines) == {c for c, _, _ in samples(lines)}, patience + 15) else WRONG
    number = {"thinned": max(8, number // 10), "expired": max(20, number // 5)}.get(judge, number)
    enough = p.until(lambda lines: of_first(lines) > number, patience + {"thinned": 20, "expired": 60}.get(judge, number * 0.1))
    got = samples(p.lines)
    if judge == "colors":
        return (ONE if len({c for c, _, _ in got}) == 1 else BOTH) if enough else NOTHING
    if judge == "sizes":
        changes = sum(a != b for a, b in zip([s for _, s, _ in got], [s for _, s, _ in got][1:]))
        return (ONE if changes <= 1 else BOTH) if enough else NOTHING
    if not enough:
        return NOTHING
    return OK if all(JUDGES[judge](sizes, got) for sizes in by_color(got).values()) else WRONG


def mostly(values, low, high):
    """Four of five are within bounds: a busy machine is late now and then, which shifts one against the next."""
    return sum(low <= v <= high for v in values) >= 0.8 * len(values) and len(values) > 0


def runs(sizes):
    """Lengths of the runs of consecutive sizes, without the first and the last, of which a part may be missing."""
    lengths, n = [], 1
    for step in steps(sizes):
        if step == 1:
            n += 1
        else:
            lengths.append(n)
            n = 1
    return lengths[1:]


JUDGES = {
    "order": lambda sizes, got: all(s > 0 for s in steps(sizes)),
    "lossless": lambda sizes, got: all(s == 1 for s in steps(sizes)),
    "kept": lambda sizes, got: mostly(steps(sizes), 1, 1),
    "large": lambda sizes, got: all(last == "255" for _, _, last in got),
    "thinned": lambda sizes, got: mostly(steps(sizes)[1:], 9, 19),
    "expired": lambda sizes, got: mostly(runs(sizes), 2, 3),
}


def play(case, writing, reading, patience, number):
    """Runs a case in this network, and gives what each program came to."""
    late = 2 if case.judge in ("late", "first") else 0
    programs = []
    try:
        if not late:
            programs = [Program(reading, "-S " + case.reader)]
        writers = [Program(writing, "-P " + words) for words in case.writers]
        programs += writers
        if late:
            time.sleep(late)
            programs.append(reader := Program(reading, "-S " + case.reader))
        else:
            reader = programs[0]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            codes = [pool.submit(writer_code, w, case.judge, patience) for w in writers]
            codes.append(pool.submit(reader_code, reader, case.judge, patience, number))
            codes = tuple(c.result() for c in codes)
        if codes != case.expect and os.environ.get("SHAPES_SAY"):
            for p in programs:
                print(f"--- {shlex.join(p.process.args)}", *p.lines[:12], f"… {len(p.lines)} lines", *p.lines[-5:], sep="\n", file=sys.stderr)
        return codes
    finally:
        for p in programs:
            p.stop()


def alone(case, pair, commands, options):
    """Runs a case in a network of its own, beside others."""
    words = [NETNS, "single", sys.executable, __file__, *(f"{n}={commands[n]}" for n in pair), "--one", case.name, "--samples", str(options.samples),
             "--patience", str(options.patience)]
    done = subprocess.run(words, capture_output=True, text=True, env={k: v for k, v in os.environ.items() if k != "NETNS_INSIDE"})
    if done.stderr:
        print(f"{case.name} {'→'.join(pair)}:\n{done.stderr}", file=sys.stderr, end="")
    codes = tuple(done.stdout.strip().split("; ")) if done.returncode == 0 else ("failed",)
    return case, pair, codes


def table(results, pairs):
    rows = [["case", "writer", "reader", *("→".join(p) for p in pairs)], ["---"] * (3 + len(pairs))]
    for case in cases():
        said = ["✓" if results[case.name, p] == case.expect else ", ".join(results[case.name, p]) for p in pairs]
        rows.append([case.name, "; ".join(f"`{w}`" for w in case.writers), f"`{case.reader}`", *said])
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def stale(page, results, pairs):
    """What a page's table does not say as it is."""
    rows = {cells[1].strip(): [c.strip() for c in cells[4:-1]] for line in page.read_text().splitlines() if len(cells := line.split("|")) > 5}
    columns = rows.get("case", [])
    for (name, pair), codes in results.items():
        title = "→".join(pair)
        want = "✓" if codes == next(c for c in cases() if c.name == name).expect else ", ".join(codes)
        said = rows[name][columns.index(title)] if name in rows and title in columns else None
        if said != want:
            yield f"{page}: {name} {title} is {said!r} there, and was {want!r}"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("implementations", nargs="+", metavar="NAME=COMMAND")
    p.add_argument("--part", default="0/1", metavar="K/N")
    p.add_argument("--case", default="")
    p.add_argument("--samples", type=int, default=100)
    p.add_argument("--jobs", type=int, default=6)
    p.add_argument("--patience", type=float, default=8)
    p.add_argument("--page", help="whose table must say the same")
    p.add_argument("--write", help="the page to write the table into")
    p.add_argument("--one", help=argparse.SUPPRESS)
    options = p.parse_args()
    commands = dict(i.split("=", 1) for i in options.implementations)
    names = [i.split("=", 1)[0] for i in options.implementations]
    if options.one:
        case = next(c for c in cases() if c.name == options.one)
        print("; ".join(play(case, commands[names[0]], commands[names[-1]], options.patience, options.samples)))
        return 0
    ours, others = names[0], names[1:]
    pairs = [(ours, ours), *(pair for other in others for pair in ((ours, other), (other, ours)))]
    k, n = map(int, options.part.split("/"))
    chosen = [c for i, c in enumerate(cases()) if i % n == k and re.search(options.case, c.name)]
    results, failed = {}, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = [pool.submit(alone, c, pair, commands, options) for c in chosen for pair in pairs]
        for done in concurrent.futures.as_completed(work):
            case, pair, codes = done.result()
            results[case.name, pair] = codes
            if codes != case.expect:
                failed += 1
                print(f"{case.name} {'→'.join(pair)}: FAILED: {', '.join(codes)}; want {', '.join(case.expect)}", flush=True)
    print(f"{len(results) - failed} passed, {failed} failed")
    if options.write:
        page = pathlib.Path(options.write)
        text = page.read_text()
        head, rest = text.split(MARKS[0])
        page.write_text(head + MARKS[0] + table(results, pairs) + MARKS[1] + rest.split(MARKS[1])[1])
    old = list(stale(pathlib.Path(options.page), results, pairs)) if options.page else []
    print(*old, sep="\n", end="\n" if old else "")
    return 1 if failed or old or not results else 0


if __name__ == "__main__":
    sys.exit(main())
