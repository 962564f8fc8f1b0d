"""Simulators on several hosts: network namespaces of their own, joined by cables to a bridge at which the one stands who looks. As a script it
prints what finding each other takes as simulators grow from 2 to 40: bytes on the cables and on each host's loopback, and processor time.

    fleet.py [COUNT…]     inside netns.sh single; run.sh bench does it
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

WORLD = """<sdf version="1.9"><world name="yard"><model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane>
</geometry></collision></link></model><model name="crate"><pose>0 0 0.2 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>0.4 0.4 0.4</size></box></geometry>
</collision></link></model></world></sdf>"""


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


class Hosts:
    """COUNT hosts, 10.88.0.1 and so on, and the bridge at 10.88.0.100 in the namespace of this process."""

    def __init__(self, count, domain=0):
        self.domain, self.holders, self.running = domain, [], {}
        self.folder = tempfile.TemporaryDirectory(prefix="fleet-")
        self.world = pathlib.Path(self.folder.name, "yard.sdf")
        self.world.write_text(WORLD)
        run("ip", "link", "add", "quay", "type", "bridge", "mcast_snooping", "0")
        run("ip", "addr", "add", "10.88.0.100/24", "dev", "quay")
        run("ip", "link", "set", "quay", "up")
        for h in range(count):
            holder = subprocess.Popen(["unshare", "--net", "setpriv", "--pdeathsig", "KILL", "sleep", "3600"])
            self.holders.append(holder)
            own = os.readlink("/proc/self/ns/net")
            while os.readlink(f"/proc/{holder.pid}/ns/net") == own:
                time.sleep(0.01)
            run("ip", "link", "add", f"cable{h}", "type", "veth", "peer", "name", "eth0", "netns", str(holder.pid))
            run("ip", "link", "set", f"cable{h}", "master", "quay", "up")
            run(*self.on(h), "sh", "-c", f"ip link set lo up; ip link set lo multicast on; ip addr add 10.88.0.{h + 1}/24 dev eth0; ip link set eth0 up")

    def on(self, host):
        """The words before a command that runs it on a host."""
        return ["nsenter", "--target", str(self.holders[host].pid), "--net"]

    def start(self, host, name, *words):
        """A simdeck in a namespace of its name."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("ROS_", "RMW_", "AMENT_"))}
        log = open(pathlib.Path(self.folder.name, f"{name}.log"), "w")
        self.running[name] = subprocess.Popen([*self.on(host), os.environ["SIMDECK"], "run", str(self.world), "--namespace", "/" + name, "--domain", str(self.domain), *words],
                                              stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)

    def cut(self, host, off):
        run("ip", "link", "set", f"cable{host}", "down" if off else "up")

    def kill(self, name):
        """Ends a simulator as kill -9 does."""
        self.running[name].send_signal(signal.SIGKILL)
        self.running[name].wait()

    def carried(self):
        """Bytes that all hosts have sent, to others and to themselves."""
        total = 0
        for h in range(len(self.holders)):
            text = run(*self.on(h), "cat", "/proc/net/dev")
            total += sum(int(line.split(":")[1].split()[8]) for line in text.splitlines()[2:])
        return total

    def processor(self):
        """Processor time of all simulators in seconds."""
        total = 0
        for p in self.running.values():
            fields = pathlib.Path(f"/proc/{p.pid}/stat").read_text().rsplit(") ", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def close(self):
        for p in self.running.values():
            if p.poll() is None:
                p.kill()
            p.wait()
        for h, holder in enumerate(self.holders):
            subprocess.run(["ip", "link", "del", f"cable{h}"], check=False, capture_output=True)
            holder.kill()
            holder.wait()
        subprocess.run(["ip", "link", "del", "quay"], check=False, capture_output=True)
        self.folder.cleanup()


def grow(count):
    """What count simulators take to find each other, and at rest after that."""
    hosts = Hosts(4, domain=94)
    try:
        for k in range(count):
            hosts.start(k % 4, f"s{k}", "--stopped")
        time.sleep(10 + count)
        carried, spent, began = hosts.carried(), hosts.processor(), time.monotonic()
        time.sleep(20)
        wall = time.monotonic() - began
        rest, busy = (hosts.carried() - carried) / wall, (hosts.processor() - spent) / wall
        assert all(p.poll() is None for p in hosts.running.values())
        print(f"{count:3} simulators on 4 hosts: {carried / 1e6:7.1f} MB and {spent:6.1f} s of a processor in the first {10 + count} s, to start and find each other, "
              f"{carried / count / 1e3:7.0f} kB and {spent / count:5.2f} s each; at rest {rest / 1e3:6.1f} kB/s and {100 * busy / count:5.2f} % of a processor each", flush=True)
    finally:
        hosts.close()


if __name__ == "__main__":
    for n in map(int, sys.argv[1:] or ["2", "5", "10", "20", "40"]):
        grow(n)
