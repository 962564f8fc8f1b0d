"""Measures how long SpawnEntity takes from rclpy: against simdeck, and against an rclpy server that does nothing.

Both are asked in turns in one run, so that what else the machine does hits both alike. Run it with run.sh bench.
"""

import os
import statistics
import subprocess
import sys
import time

import rclpy
from rclpy.executors import ExternalShutdownException
from simulation_interfaces.srv import SpawnEntity

from client import Client, place, spawning
from test_spawning import BOX

DOMAIN, ROUNDS, WARM_UP = 90, 400, 40


def serve():
    """The rclpy server to compare with: answers at once, spawns nothing."""
    rclpy.init(domain_id=DOMAIN)
    node = rclpy.create_node("reference")

    def answer(request, response):
        response.result.result = 1
        response.entity_name = request.name
        return response

    node.create_service(SpawnEntity, "/reference/spawn_entity", answer)
    try:
        rclpy.spin(node)
    except ExternalShutdownException:
        pass  # told to end


def timed(client, **fields):
    future = client.begin("spawn_entity", **fields)
    started = time.perf_counter()
    client.until(future.done, "an answer")
    assert future.result().result.result == 1, future.result()
    return time.perf_counter() - started


def measure(simdeck, reference):
    took = {"simdeck": [], "rclpy": []}
    for n in range(WARM_UP + ROUNDS):
        fields = spawning(f"crate{n}", text=BOX, pose=place(60, 60, 0.1))
        took["simdeck"].append(timed(simdeck, **fields))
        took["rclpy"].append(timed(reference, **fields))
        simdeck.ok("delete_entity", entity=f"crate{n}")
    return {name: sorted(times[WARM_UP:]) for name, times in took.items()}


def main():
    processes = [
        subprocess.Popen([os.environ["SIMDECK"], "run", "bench", "--paused", "--domain", str(DOMAIN)], stderr=subprocess.DEVNULL),
        subprocess.Popen([sys.executable, __file__, "serve"]),
    ]
    clients = Client(DOMAIN), Client(DOMAIN, name="other", prefix="/reference")
    try:
        took = measure(*clients)
    finally:
        for p in processes:
            p.terminate()
            p.wait()
        for c in clients:
            c.close()
    middle = {name: statistics.median(times) for name, times in took.items()}
    for name, times in took.items():
        print(f"BenchmarkSpawnEntityRoundTrip/{name} {len(times)} {middle[name] * 1e9:.0f} ns/op "
              f"{times[len(times) * 95 // 100] * 1e6:.0f} p95-µs")
    ratio = middle["simdeck"] / middle["rclpy"]
    print(f"BenchmarkSpawnEntityRoundTrip/ratio {ROUNDS} {ratio:.2f} simdeck/rclpy")


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main()
