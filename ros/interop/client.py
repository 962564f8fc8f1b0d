"""A ROS 2 client as the tests use it: calls, listens and waits for conditions, never for time to pass."""

import time

import rclpy
from rclpy.context import Context
from rclpy.experimental.events_executor import EventsExecutor
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from simulation_interfaces import srv
from simulation_interfaces.msg import Resource, Result, SimulationState
from geometry_msgs.msg import Pose, PoseStamped

PATIENCE = 30.0  # seconds: generous, only a failure takes that long

RELIABLE = QoSProfile(depth=2000, reliability=ReliabilityPolicy.RELIABLE)
BEST_EFFORT = QoSProfile(depth=100, reliability=ReliabilityPolicy.BEST_EFFORT)
LATCHED = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
NEWEST = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE)
EVERYTHING = QoSProfile(history=HistoryPolicy.KEEP_ALL, reliability=ReliabilityPolicy.RELIABLE)

SERVICES = {  # name at the root of the namespace → type
    "get_simulator_features": srv.GetSimulatorFeatures,
    "get_spawnables": srv.GetSpawnables,
    "spawn_entity": srv.SpawnEntity,
    "delete_entity": srv.DeleteEntity,
    "get_entities": srv.GetEntities,
    "get_entities_states": srv.GetEntitiesStates,
    "get_entity_state": srv.GetEntityState,
    "set_entity_state": srv.SetEntityState,
    "get_named_poses": srv.GetNamedPoses,
    "get_simulation_state": srv.GetSimulationState,
    "set_simulation_state": srv.SetSimulationState,
    "step_simulation": srv.StepSimulation,
    "reset_simulation": srv.ResetSimulation,
}


class Listener:
    """Keeps what arrives on a topic, oldest first, with the wall time of each arrival."""

    def __init__(self, node, kind, topic, qos):
        self.messages, self.arrivals = [], []
        self.subscription = node.create_subscription(kind, topic, self._take, qos)

    def _take(self, message):
        self.messages.append(message)
        self.arrivals.append(time.monotonic())

    @property
    def last(self):
        return self.messages[-1] if self.messages else None

    def clear(self):
        self.messages.clear()
        self.arrivals.clear()


class Client:
    """One DDS participant with one node, and a simulator's services under a prefix."""

    def __init__(self, domain, name="interop", prefix="", check=lambda: None):
        """check is called while waiting, and raises when waiting has no use any more."""
        self.context, self.prefix, self.check, self.callers = Context(), prefix, check, {}
        rclpy.init(args=[], context=self.context, domain_id=domain)
        self.node = rclpy.create_node(name, context=self.context)
        self.executor = EventsExecutor(context=self.context)
        self.executor.add_node(self.node)

    def close(self):
        self.executor.shutdown()
        self.node.destroy_node()
        self.context.try_shutdown()

    def spin(self):
        self.executor.spin_once(timeout_sec=0.02)

    def until(self, condition, what, patience=PATIENCE):
        """Spins until condition() is true and returns what it returned."""
        end = time.monotonic() + patience
        while not (value := condition()):
            assert time.monotonic() < end, f"waited {patience} s for {what() if callable(what) else what}"
            self.check()
            self.spin()
        return value

    def listen(self, kind, topic, qos=RELIABLE):
        return Listener(self.node, kind, topic, qos)

    def forget(self, listener):
        self.node.destroy_subscription(listener.subscription)

    def fresh(self, kind, topic, choose=lambda message: message):
        """What choose finds in the first message that was sent from now on and has it."""
        listener, seen = self.listen(kind, topic), 0

        def found():
            nonlocal seen
            for message in listener.messages[seen:]:
                seen += 1
                if value := choose(message):
                    return value

        value = self.until(found, f"something on {topic}")
        self.forget(listener)
        return value

    def publisher(self, kind, topic, qos=RELIABLE):
        """A publisher that somebody listens to."""
        publisher = self.node.create_publisher(kind, topic, qos)
        self.until(lambda: publisher.get_subscription_count() > 0, f"a subscriber of {topic}")
        return publisher

    def begin(self, name, /, **fields):
        """Sends a request; the future of its response."""
        if name not in self.callers:
            self.callers[name] = self.node.create_client(SERVICES[name], f"{self.prefix}/{name}")
        caller = self.callers[name]
        self.until(caller.service_is_ready, f"service {self.prefix}/{name}")
        return caller.call_async(SERVICES[name].Request(**fields))

    def call(self, name, /, patience=PATIENCE, **fields):
        """Calls a service and returns the response, whatever its result."""
        future = self.begin(name, **fields)
        self.until(future.done, f"an answer of {name}", patience)
        return future.result()

    def call_type(self, kind, name, /, **fields):
        """Calls a service of a type by its whole name; the client of a service is made once."""
        if name not in self.callers:
            self.callers[name] = self.node.create_client(kind, name)
            self.until(self.callers[name].service_is_ready, f"service {name}")
        future = self.callers[name].call_async(kind.Request(**fields))
        self.until(future.done, f"an answer of {name}")
        return future.result()

    def ok(self, name, /, **fields):
        """Calls a service that must succeed."""
        response = self.call(name, **fields)
        assert response.result.result == Result.RESULT_OK, f"{name}: {response.result}"
        return response

    def refused(self, name, code, /, **fields):
        """Calls a service that must fail with a code, and with a reason."""
        response = self.call(name, **fields)
        assert response.result.result == code, f"{name}: wanted result {code}, got {response.result}"
        assert response.result.error_message, f"{name}: result {code} without a reason"
        return response.result.error_message

    # The everyday calls.

    def names(self):
        return list(self.ok("get_entities").entities)

    def state(self, entity):
        return self.ok("get_entity_state", entity=entity).state

    def state_of_simulation(self):
        return self.ok("get_simulation_state").state.state

    def become(self, state):
        """Brings the simulation into a state, also when it is in it."""
        if self.state_of_simulation() != state:
            self.ok("set_simulation_state", state=SimulationState(state=state))

    def pause(self):
        self.become(SimulationState.STATE_PAUSED)

    def play(self):
        self.become(SimulationState.STATE_PLAYING)

    def now(self):
        """Simulated time in nanoseconds: the stamp of any entity's state."""
        return nanoseconds(self.state(self.names()[0]).header.stamp)

    def spawn(self, name, uri="", text="", pose=None, frame="", **more):
        """Spawns an entity that must succeed; its final name."""
        return self.ok("spawn_entity", **spawning(name, uri, text, pose, frame, **more)).entity_name

    def spawnable(self, part):
        """The resource of the first spawnable whose URI contains a word."""
        found = self.ok("get_spawnables").spawnables
        uris = [s.entity_resource.uri for s in found]
        assert any(part in uri for uri in uris), f"no spawnable with {part!r} among {uris}"
        return next(uri for uri in uris if part in uri)


def spawning(name, uri="", text="", pose=None, frame="", **more):
    """The fields of a SpawnEntity request."""
    stamped = PoseStamped(pose=pose or Pose())
    stamped.header.frame_id = frame
    return dict(name=name, entity_resource=Resource(uri=uri, resource_string=text), initial_pose=stamped, **more)


def place(x=0.0, y=0.0, z=0.0):
    pose = Pose()
    pose.position.x, pose.position.y, pose.position.z = float(x), float(y), float(z)
    return pose


def nanoseconds(stamp):
    return stamp.sec * 1_000_000_000 + stamp.nanosec
