"""What ros2 node, service and topic list show."""

from rclpy.action import get_action_server_names_and_types_by_node
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from tf2_msgs.msg import TFMessage

from client import LATCHED, SERVICES, Client

NODE = "simdeck"


def type_name(kind):
    package, folder = kind.__module__.split(".")[:2]
    return f"{package}/{folder}/{kind.__name__}"


def test_the_node_is_listed(ros):
    ros.until(lambda: (NODE, "/") in ros.node.get_node_names_and_namespaces(), "the node in the graph")


def test_every_service_is_listed_with_its_type(ros):
    wanted = {f"/{name}": [type_name(kind)] for name, kind in SERVICES.items()}

    def missing():
        have = dict(ros.node.get_service_names_and_types())
        return {name: (types, have.get(name)) for name, types in wanted.items() if have.get(name) != types}

    ros.until(lambda: not missing(), lambda: f"services (wanted, listed): {missing()}")


def test_the_services_belong_to_the_node(ros):
    def listed():
        return {name for name, _ in ros.node.get_service_names_and_types_by_node(NODE, "/")}

    ros.until(lambda: listed() >= {f"/{name}" for name in SERVICES}, lambda: f"services of the node, has {listed()}")


def test_topics_are_listed_with_their_types(ros):
    wanted = {"/clock": "rosgraph_msgs/msg/Clock", "/tf": "tf2_msgs/msg/TFMessage", "/tf_static": "tf2_msgs/msg/TFMessage"}

    def listed():
        return dict(ros.node.get_topic_names_and_types())

    ros.until(lambda: all(listed().get(t) == [kind] for t, kind in wanted.items()), lambda: f"{wanted}, has {listed()}")


def test_robots_have_their_topics(ros):
    kinds = {
        "odom": "nav_msgs/msg/Odometry",
        "scan": "sensor_msgs/msg/LaserScan",
        "joint_states": "sensor_msgs/msg/JointState",
    }

    def robots():
        topics = dict(ros.node.get_topic_names_and_types())
        found = [t[: -len("/odom")] for t in topics if t.endswith("/odom")]
        return len(found) >= 2 and all(topics.get(f"{r}/{t}") == [kind] for r in found for t, kind in kinds.items()) and found

    for robot in ros.until(robots, "two robots with odom, scan and joint_states"):
        drive = dict(ros.node.get_topic_names_and_types())[f"{robot}/cmd_vel"]
        assert drive == ["geometry_msgs/msg/Twist"]  # nobody publishes: two types are what ros2 topic echo refuses


def test_types_have_the_hash_that_rosidl_computes(ros):
    for kind, topic, qos in ((Clock, "/clock", 10), (TFMessage, "/tf", 10), (TFMessage, "/tf_static", LATCHED)):
        own = ros.node.create_publisher(kind, topic, qos)
        hashes = {}

        def known():
            for info in ros.node.get_publishers_info_by_topic(topic):
                hashes[info.node_name] = str(info.topic_type_hash)
            return {NODE, ros.node.get_name()} <= set(hashes)

        ros.until(known, f"both publishers of {topic}")
        ros.node.destroy_publisher(own)
        assert hashes[NODE] == hashes[ros.node.get_name()], topic
        assert "RIHS01_" in hashes[NODE], hashes


def test_endpoints_tell_their_node_type_and_quality_of_service(ros):
    def told():
        infos = {t: [i for i in ros.node.get_publishers_info_by_topic(t) if i.node_name == NODE] for t in ("/clock", "/tf_static")}
        return all(len(found) == 1 for found in infos.values()) and {t: found[0] for t, found in infos.items()}

    infos = ros.until(told, "the publishers of /clock and /tf_static")
    assert {(i.node_name, i.node_namespace) for i in infos.values()} == {(NODE, "/")}
    assert infos["/tf_static"].topic_type == "tf2_msgs/msg/TFMessage"
    assert all(i.qos_profile.reliability == ReliabilityPolicy.RELIABLE for i in infos.values())
    assert infos["/tf_static"].qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
    assert infos["/clock"].qos_profile.durability == DurabilityPolicy.VOLATILE
    assert len({bytes(i.endpoint_gid) for i in infos.values()}) == 2


def test_the_node_tells_what_it_publishes_takes_and_serves(ros):
    """What ros2 node info shows."""
    def told():
        publishes = dict(ros.node.get_publisher_names_and_types_by_node(NODE, "/"))
        takes = dict(ros.node.get_subscriber_names_and_types_by_node(NODE, "/"))
        actions = dict(get_action_server_names_and_types_by_node(ros.node, NODE, "/"))
        commands = [t for t in takes if t.endswith("/cmd_vel")]
        return commands and actions and {"/clock", "/rosout", "/parameter_events", "/tf"} <= publishes.keys() and (takes[commands[0]], actions)

    takes, actions = ros.until(told, "the node's topics and actions")
    assert "geometry_msgs/msg/Twist" in takes
    assert actions == {"/simulate_steps": ["simulation_interfaces/action/SimulateSteps"]}


def test_a_late_listener_gets_what_is_latched(ros):
    late = Client(ros.context.get_domain_id(), name="late")
    static = late.listen(TFMessage, "/tf_static", LATCHED)
    late.until(lambda: static.last and static.last.transforms, "a latched transform")
    late.close()


def test_features_name_what_is_served(ros):
    features = ros.call("get_simulator_features").features
    have = set(features.features)
    for name in ("SPAWNING", "DELETING", "NAMED_POSES", "ENTITY_STATE_GETTING", "ENTITY_STATE_SETTING", "SPAWNABLES",
                 "SIMULATION_RESET", "SIMULATION_RESET_TIME", "SIMULATION_RESET_STATE", "SIMULATION_RESET_SPAWNED",
                 "SIMULATION_STATE_GETTING", "SIMULATION_STATE_SETTING", "SIMULATION_STATE_PAUSE",
                 "STEP_SIMULATION_SINGLE", "STEP_SIMULATION_MULTIPLE"):
        assert getattr(features, name) in have, f"{name} is served but not announced: {sorted(have)}"
    assert {"sdf", "urdf", "xacro", "mjcf", "proto", "prefab", "spawnable", "map"} == set(features.spawn_formats)
