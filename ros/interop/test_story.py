"""One visit of a user, from finding the simulator to leaving it as it was."""

import math

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from simulation_interfaces.msg import Result, SimulationState
from simulation_interfaces.srv import ResetSimulation

from client import EVERYTHING, nanoseconds
from robot import Robot, check_one_metre


def test_a_two_wheeled_robot_from_spawning_to_deleting(ros, origin):
    ros.until(lambda: ("simdeck", "/") in ros.node.get_node_names_and_namespaces(), "the node in the graph")
    assert ros.spawnable(origin.model)
    before = ros.names()
    spot = next(p for p in ros.ok("get_named_poses").poses if p.name == "start")
    name = ros.spawn("visitor", uri=origin.sdf, frame=spot.name)
    home = ros.state(name).pose.position
    assert math.hypot(home.x - spot.pose.position.x, home.y - spot.pose.position.y) < 0.02

    drive_a_metre(ros, name)
    end = ros.state(name).pose.position
    scan = ros.fresh(LaserScan, f"/{name}/scan")
    assert any(math.isfinite(r) for r in scan.ranges), "it sees nothing in a room full of things"

    ros.pause()
    step(ros, 250)
    reset(ros, name, home, end)
    assert ros.names() == before
    ros.refused("delete_entity", Result.RESULT_NOT_FOUND, entity=name)

    ros.play()  # while it is paused nothing new is published
    again = ros.spawn(name, uri=origin.sdf, frame=spot.name)
    ros.fresh(Odometry, f"/{again}/odom")  # beside a reader of the same topic, which stayed when the first one went
    ros.ok("delete_entity", entity=again)
    assert ros.names() == before


def drive_a_metre(ros, name):
    publisher = ros.publisher(Twist, f"/{name}/cmd_vel")
    command = Twist()

    def publish(speed):
        command.linear.x = speed
        publisher.publish(command)
        ros.spin()

    robot = Robot(ros, name)
    robot.drive(1.0, publish)
    check_one_metre(robot)


def step(ros, count):
    clock = ros.listen(Clock, "/clock", EVERYTHING)
    ros.ok("step_simulation")  # one, by the default of the definition
    start = ros.now()
    ros.until(lambda: clock.last and nanoseconds(clock.last.clock) == start, "the clock of a step")
    ros.ok("step_simulation", steps=1)
    dt = ros.now() - start
    ros.ok("step_simulation", steps=count)
    want = start + (count + 1) * dt
    ros.until(lambda: nanoseconds(clock.last.clock) >= want, f"{count} steps of {dt} ns on /clock")
    assert nanoseconds(clock.last.clock) == want == ros.now()
    ros.forget(clock)


def reset(ros, name, home, end):
    reset = ResetSimulation.Request
    time = ros.now()
    ros.ok("reset_simulation", scope=reset.SCOPE_STATE)
    at = ros.state(name).pose.position
    assert math.dist((at.x, at.y), (home.x, home.y)) < 1e-3 < math.dist((at.x, at.y), (end.x, end.y))
    assert ros.now() == time
    ros.ok("reset_simulation", scope=reset.SCOPE_TIME)
    assert ros.now() == 0 and name in ros.names()
    ros.ok("reset_simulation", scope=reset.SCOPE_SPAWNED)
    assert name not in ros.names()
    ros.ok("reset_simulation", scope=reset.SCOPE_ALL)
    assert ros.state_of_simulation() == SimulationState.STATE_PAUSED
