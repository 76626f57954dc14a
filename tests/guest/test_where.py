"""Tests of `kinjo where` on four nodes of four CPUs, against what the kernel says by itself.

The process has threads and pages on nodes that it has chosen; /proc/PID/numa_maps and
/proc/PID/task/TID are read here, without kinjo."""

import json
import re
import unittest

from guest_case import GuestCase

MIB = 1 << 20
# CPU, node and MiB of each thread: the first will move, the second has huge pages, the third sleeps.
PARTS = [(5, 1, 8), (14, 3, 16), (10, 1, 4)]
# A stack that happens to end at a huge page's end would have one, 2 MiB more than is expected.
START = """
echo 0 > /proc/sys/kernel/numa_balancing
echo madvise > /sys/kernel/mm/transparent_hugepage/enabled
resident /tmp/ready 5/1/8 14/3/16h 10/1/4s >/dev/null 2>&1 &
while [ ! -s /tmp/ready ]; do sleep 0.1; done
cp /tmp/ready /tmp/pid"""
# No clock decides when things happen: each step waits for the sign that the one before it gives.
MOVE = """
kinjo where $(cat /tmp/pid) --every 1 --expect 'node 1: 25%' >/tmp/drift &
watch=$!
while [ ! -s /tmp/drift ]; do sleep 0.1; done
kill -USR1 $(cat /tmp/pid)
while [ -e /tmp/ready ]; do sleep 0.1; done
seen=$(grep -c '^look' /tmp/drift)
while [ $(grep -c '^look' /tmp/drift) -lt $((seen + 2)) ]; do sleep 0.1; done
kill -INT $watch
wait $watch
echo "status $?"
cat /tmp/drift"""
COMMAND = """
kinjo where --after 0 --every 1 --format json --output /tmp/command -- \\
  kinjo run --policy cpus:9 --memory bind:2 -- sh -c '
    filled=$(head -c 8000000 /dev/zero | tr "\\0" a); echo >/tmp/filled
    while [ ! -e /tmp/enough ]; do sleep 0.1; done; exit 6' &
while [ ! -e /tmp/filled ]; do sleep 0.1; done
sleep 3
touch /tmp/enough
wait $!
echo "status $?"
cat /tmp/command"""
THREADS = r"""
cd /proc/$(cat /tmp/pid)/task
for tid in *; do
  echo "$tid $(sed 's/.*) //' $tid/stat | cut -d' ' -f37) $(sed -n 's/^Cpus_allowed_list:\t//p' $tid/status) $(sed -n 's/^se.nr_migrations *: *//p' $tid/sched)"
done"""
EXPECTATIONS = {
    "nodes 1,3: 90%": 0, "node 3: >= 99%": 1, "node 0: <= 20%": 0, "node 0: <= 0%": 1,
    "threads on nodes 1-3: >= 75%": 0, "threads on node 1: 100%": 1,
    "running threads on node 3: 50%": 0, "running threads on node 2: >= 1%": 1,
    "local: <= 20%": 1,
}


def kernel_bytes(numa_maps):
    """Bytes by node and by mapping, from the text of numa_maps."""
    nodes, mappings = {}, {}
    for line in numa_maps.splitlines():
        unit = re.search(r" kernelpagesize_kB=(\d+)", line)
        counts = {int(n): int(p) * int(unit[1]) * 1024 for n, p in re.findall(r" N(\d+)=(\d+)", line)}
        for node, count in counts.items():
            nodes[node] = nodes.get(node, 0) + count
        if counts:
            mappings[line.split()[0]] = counts
    return nodes, mappings


def seen_bytes(look):
    memory = look["memory"]
    return ({node["node"]: node["bytes"] for node in memory["nodes"]},
            {m["address"]: {int(n): b for n, b in m["nodes"].items()} for m in memory["mappings"]})


class WhereTest(GuestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        where = "kinjo where $(cat /tmp/pid)"
        commands = {
            "start": START,
            "numa_maps": "cat /proc/$(cat /tmp/pid)/numa_maps",
            "threads": THREADS,
            "json": f"{where} --every 0.5 --looks 2 --format json",
            "by move_pages": f"{where} --source move_pages --format json",
            "text": f"{where} --largest 3",
            **{text: f"{where} --expect '{text}' >/dev/null; echo $?" for text in EXPECTATIONS},
            "moved": MOVE,
            "json after": f"{where} --format json",
            "numa_maps after": "cat /proc/$(cat /tmp/pid)/numa_maps",
            "threads after": THREADS,
            "command": COMMAND,
        }
        cls.seen = cls.session(cls(), "opteron4", commands, ["resident"])
        cls.looks = json.loads(cls.seen["json"])["looks"]

    def check_threads(self, look, kernel):
        expected = [line.split() for line in kernel.splitlines()]
        self.assertEqual(
            [[str(t["tid"]), str(t["cpu"]), ",".join(map(str, t["allowed_cpus"])),
              str(t["migrations"])] for t in look["threads"]], expected)
        for thread in look["threads"]:
            self.assertEqual(thread["node"], thread["cpu"] // 4)

    def test_threads_are_where_the_kernel_says(self):
        self.check_threads(self.looks[-1], self.seen["threads"])
        self.assertEqual([t["cpu"] for t in self.looks[-1]["threads"]], [0] + [p[0] for p in PARTS])
        self.assertEqual([t["running"] for t in self.looks[-1]["threads"]],
                         [False, True, True, False])

    def test_pages_are_where_the_kernel_says(self):
        nodes, mappings = kernel_bytes(self.seen["numa_maps"])
        self.assertEqual(seen_bytes(self.looks[0]), (nodes, mappings))
        self.assertEqual(sum(nodes.values()), self.looks[0]["memory"]["bytes"])

    def test_pages_are_where_the_process_has_put_them(self):
        found = [m["nodes"] for m in self.looks[0]["memory"]["mappings"] if m["policy"].startswith("bind")]
        self.assertEqual(sorted(found, key=str),
                         sorted(({str(node): mib * MIB} for _, node, mib in PARTS), key=str))

    def test_move_pages_says_the_same(self):
        look = json.loads(self.seen["by move_pages"])["looks"][0]
        self.assertEqual(look["memory"]["source"], "move_pages")
        for node, count in seen_bytes(self.looks[0])[0].items():
            # The page of zeros and what the kernel keeps for itself (vdso) are counted by one only.
            self.assertAlmostEqual(seen_bytes(look)[0].get(node, 0), count, delta=64 * 4096)

    def test_locality_is_by_the_running_threads(self):
        look = self.looks[-1]
        nodes = {node["node"]: node["share"] for node in look["memory"]["nodes"]}
        local = look["locality"]
        self.assertAlmostEqual(local["near"], nodes[1] + nodes[3])
        self.assertAlmostEqual(local["if_shared"], (nodes[1] + nodes[3]) / 2)
        self.assertAlmostEqual(local["if_divided"], min(nodes[1], 0.5) + min(nodes[3], 0.5))

    def test_text_shows_the_parts(self):
        text = self.seen["text"]
        self.assertRegex(text, r"process \d+ \(resident\): 4 threads, 2 running, ")
        self.assertRegex(text, r"\n +\d+ +spinner +running +5 +1 +5 +\d+\n")
        self.assertRegex(text, r"\n[0-9a-f]+ +16 MiB +4 KiB +bind:3 +3: 100\.0 % +anonymous\n")

    def test_expectations_are_judged(self):
        for text, status in EXPECTATIONS.items():
            with self.subTest(text):
                lines = self.seen[text].splitlines()
                self.assertEqual(lines[-1], str(status), self.seen[text])
                self.assertEqual(len(lines), 1 + status, self.seen[text])
                if status:
                    self.assertRegex(lines[0], r"^kinjo: expected .*: found \d+\.\d+ %")

    def test_drift_after_a_migration(self):
        text = self.seen["moved"]
        self.assertRegex(text, r"^kinjo: expected node 1: >= 25 %: found \d+\.\d+ % \(.* of .*\) in "
                               r"look \d+\nstatus 1\n")
        self.assertRegex(text, r"\n  thread \d+ \(spinner\): CPU 5 → 9, node 1 → 2, may use 5 → 9\n")
        for node, sign in ((1, "-"), (2, r"\+")):
            self.assertRegex(text, rf"\n  memory: .*node {node} {sign}\d")
        self.assertRegex(text, r"\n  of it at least .* moved from node to node\n")

    def test_look_after_a_migration_agrees_with_the_kernel(self):
        look = json.loads(self.seen["json after"])["looks"][0]
        self.assertEqual(seen_bytes(look), kernel_bytes(self.seen["numa_maps after"]))
        self.check_threads(look, self.seen["threads after"])
        self.assertEqual([t["cpu"] for t in look["threads"]], [0, 9, 14, 10])

    def test_a_command_is_looked_at_while_it_runs(self):
        status, report = self.seen["command"].split("\n", 1)
        self.assertEqual(status, "status 6", report)
        report = json.loads(report)
        thread, = report["looks"][-1]["threads"]
        self.assertEqual((thread["cpu"], thread["node"], thread["allowed_cpus"]), (9, 2, [9]))
        nodes, _ = seen_bytes(report["looks"][-1])
        self.assertGreaterEqual(nodes[2], 8000000)
        self.assertEqual(report["command"][:3], ["kinjo", "run", "--policy"])


if __name__ == "__main__":
    unittest.main()
