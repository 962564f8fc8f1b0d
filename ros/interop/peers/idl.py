"""The types of ROS as Cyclone DDS needs them, written by hand: nothing of a ROS install is used here.

A service's types begin with the sixteen bytes that rmw_cyclonedds puts there: who asks, and its how manieth request.
"""

from cyclonedds.idl import make_idl_struct
from cyclonedds.idl.annotations import final
from cyclonedds.idl.types import array, float32, float64, int8, int32, int64, sequence, uint8, uint16, uint32, uint64


def message(package, name, /, **fields):
    """A type of package/msg (or package/srv, package/action), under the name that ROS gives it in DDS."""
    return final(make_idl_struct(name, f"{package.replace('/', '.')}.dds_.{name}_", fields))


def service(package, name, request, response):
    """A service's request and response."""
    head = {"client": uint64, "number": int64}
    return tuple(message(package, f"{name}_{part}", **head, **fields) for part, fields in (("Request", request), ("Response", response)))


def new(kind, **given):
    """A message of a kind: what is not given is zero, empty, or a message of zeros."""
    return kind(**{name: given[name] if name in given else zero(field) for name, field in kind.__annotations__.items()})


def zero(kind):
    shape = next(iter(getattr(kind, "__metadata__", ())), None)
    if isinstance(shape, array):
        return [zero(shape.subtype)] * shape.length
    if isinstance(shape, sequence):
        return []
    if hasattr(kind, "__idl__"):
        return new(kind)
    return {str: "", bool: False}.get(kind, 0)


# Common messages.

Time = message("builtin_interfaces/msg", "Time", sec=int32, nanosec=uint32)
Duration = message("builtin_interfaces/msg", "Duration", sec=int32, nanosec=uint32)
UUID = message("unique_identifier_msgs/msg", "UUID", uuid=array[uint8, 16])
String = message("std_msgs/msg", "String", data=str)
Header = message("std_msgs/msg", "Header", stamp=Time, frame_id=str)
Clock = message("rosgraph_msgs/msg", "Clock", clock=Time)

Vector3 = message("geometry_msgs/msg", "Vector3", x=float64, y=float64, z=float64)
Point = message("geometry_msgs/msg", "Point", x=float64, y=float64, z=float64)
Quaternion = message("geometry_msgs/msg", "Quaternion", x=float64, y=float64, z=float64, w=float64)
Pose = message("geometry_msgs/msg", "Pose", position=Point, orientation=Quaternion)
PoseStamped = message("geometry_msgs/msg", "PoseStamped", header=Header, pose=Pose)
PoseWithCovariance = message("geometry_msgs/msg", "PoseWithCovariance", pose=Pose, covariance=array[float64, 36])
Twist = message("geometry_msgs/msg", "Twist", linear=Vector3, angular=Vector3)
TwistWithCovariance = message("geometry_msgs/msg", "TwistWithCovariance", twist=Twist, covariance=array[float64, 36])
Accel = message("geometry_msgs/msg", "Accel", linear=Vector3, angular=Vector3)
Transform = message("geometry_msgs/msg", "Transform", translation=Vector3, rotation=Quaternion)
TransformStamped = message("geometry_msgs/msg", "TransformStamped", header=Header, child_frame_id=str, transform=Transform)
TFMessage = message("tf2_msgs/msg", "TFMessage", transforms=sequence[TransformStamped])

Odometry = message("nav_msgs/msg", "Odometry", header=Header, child_frame_id=str, pose=PoseWithCovariance, twist=TwistWithCovariance)
LaserScan = message(
    "sensor_msgs/msg", "LaserScan", header=Header, angle_min=float32, angle_max=float32, angle_increment=float32,
    time_increment=float32, scan_time=float32, range_min=float32, range_max=float32, ranges=sequence[float32],
    intensities=sequence[float32])
PointField = message("sensor_msgs/msg", "PointField", name=str, offset=uint32, datatype=uint8, count=uint32)
PointCloud2 = message(
    "sensor_msgs/msg", "PointCloud2", header=Header, height=uint32, width=uint32, fields=sequence[PointField],
    is_bigendian=bool, point_step=uint32, row_step=uint32, data=sequence[uint8], is_dense=bool)

ColorRGBA = message("std_msgs/msg", "ColorRGBA", r=float32, g=float32, b=float32, a=float32)
CompressedImage = message("sensor_msgs/msg", "CompressedImage", header=Header, format=str, data=sequence[uint8])
UVCoordinate = message("visualization_msgs/msg", "UVCoordinate", u=float32, v=float32)
MeshFile = message("visualization_msgs/msg", "MeshFile", filename=str, data=sequence[uint8])
Marker = message(
    "visualization_msgs/msg", "Marker", header=Header, ns=str, id=int32, type=int32, action=int32, pose=Pose, scale=Vector3, color=ColorRGBA,
    lifetime=Duration, frame_locked=bool, points=sequence[Point], colors=sequence[ColorRGBA], texture_resource=str,
    texture=CompressedImage, uv_coordinates=sequence[UVCoordinate], text=str, mesh_resource=str, mesh_file=MeshFile,
    mesh_use_embedded_materials=bool)
MarkerArray = message("visualization_msgs/msg", "MarkerArray", markers=sequence[Marker])
Log = message(
    "rcl_interfaces/msg", "Log", stamp=Time, level=uint8, name=str, msg=str, file=str, function=str, line=uint32)

# The graph, in the layout of Iron and later, and in the layout of Humble.

DISCOVERY_HASH = "RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e"


def discovery(octets):
    gid = message("rmw_dds_common/msg", "Gid", data=array[uint8, octets])
    node = message("rmw_dds_common/msg", "NodeEntitiesInfo", node_namespace=str, node_name=str,
                   reader_gid_seq=sequence[gid], writer_gid_seq=sequence[gid])
    return message("rmw_dds_common/msg", "ParticipantEntitiesInfo", gid=gid, node_entities_info_seq=sequence[node])


ParticipantEntitiesInfo, HumbleParticipantEntitiesInfo = discovery(16), discovery(24)

# simulation_interfaces.

SIMULATION = "simulation_interfaces"
Result = message(f"{SIMULATION}/msg", "Result", result=uint8, error_message=str)
SimulationState = message(f"{SIMULATION}/msg", "SimulationState", state=uint8)
TagsFilter = message(f"{SIMULATION}/msg", "TagsFilter", tags=sequence[str], filter_mode=uint8)
Bounds = message(f"{SIMULATION}/msg", "Bounds", type=uint8, points=sequence[Vector3])
EntityCategory = message(f"{SIMULATION}/msg", "EntityCategory", category=uint8)
EntityFilters = message(f"{SIMULATION}/msg", "EntityFilters", filter=str, categories=sequence[EntityCategory], tags=TagsFilter, bounds=Bounds)
EntityState = message(f"{SIMULATION}/msg", "EntityState", header=Header, pose=Pose, twist=Twist, acceleration=Accel)
Resource = message(f"{SIMULATION}/msg", "Resource", uri=str, resource_string=str)
SimulatorFeatures = message(f"{SIMULATION}/msg", "SimulatorFeatures", features=sequence[uint16], spawn_formats=sequence[str], custom_info=str)

SERVICES = {  # what is the same in every line
    "get_simulator_features": service(f"{SIMULATION}/srv", "GetSimulatorFeatures", {"nothing": uint8}, {"features": SimulatorFeatures}),
    "get_simulation_state": service(f"{SIMULATION}/srv", "GetSimulationState", {"nothing": uint8}, {"state": SimulationState, "result": Result}),
    "set_simulation_state": service(f"{SIMULATION}/srv", "SetSimulationState", {"state": SimulationState}, {"result": Result}),
    "get_entities": service(f"{SIMULATION}/srv", "GetEntities", {"filters": EntityFilters}, {"result": Result, "entities": sequence[str]}),
    "get_entity_state": service(f"{SIMULATION}/srv", "GetEntityState", {"entity": str}, {"result": Result, "state": EntityState}),
    "delete_entity": service(f"{SIMULATION}/srv", "DeleteEntity", {"entity": str}, {"result": Result}),
    "step_simulation": service(f"{SIMULATION}/srv", "StepSimulation", {"steps": uint64}, {"result": Result}),
}
SPAWNED = {"result": Result, "entity_name": str}
SPAWN_1 = service(
    f"{SIMULATION}/srv", "SpawnEntity",
    {"name": str, "allow_renaming": bool, "uri": str, "resource_string": str, "entity_namespace": str, "initial_pose": PoseStamped}, SPAWNED)
SPAWN_2 = service(
    f"{SIMULATION}/srv", "SpawnEntity",
    {"name": str, "allow_renaming": bool, "entity_resource": Resource, "entity_namespace": str, "initial_pose": PoseStamped}, SPAWNED)
SPAWN_2_HASHES = (  # RIHS01 of the request and of the response: the first says which line a client speaks
    "RIHS01_9bc04fe30d4844466c57b7b090fd7e9aa426995f3eb6ff9a726826ab7223e1fd",
    "RIHS01_be8c9fc03b6faaf95570949c80195c8ca75dd99f7efc23262309d497b2923982",
)

# The stepping action.

GoalInfo = message("action_msgs/msg", "GoalInfo", goal_id=UUID, stamp=Time)
GoalStatus = message("action_msgs/msg", "GoalStatus", goal_info=GoalInfo, status=int8)
GoalStatusArray = message("action_msgs/msg", "GoalStatusArray", status_list=sequence[GoalStatus])
StepsResult = message(f"{SIMULATION}/action", "SimulateSteps_Result", result=Result)
StepsGoal = message(f"{SIMULATION}/action", "SimulateSteps_Goal", steps=uint64)
StepsFeedback = message(f"{SIMULATION}/action", "SimulateSteps_Feedback", completed_steps=uint64, remaining_steps=uint64)
StepsFeedbackMessage = message(f"{SIMULATION}/action", "SimulateSteps_FeedbackMessage", goal_id=UUID, feedback=StepsFeedback)
SERVICES |= {
    "simulate_steps/_action/send_goal": service(
        f"{SIMULATION}/action", "SimulateSteps_SendGoal", {"goal_id": UUID, "goal": StepsGoal}, {"accepted": bool, "stamp": Time}),
    "simulate_steps/_action/get_result": service(
        f"{SIMULATION}/action", "SimulateSteps_GetResult", {"goal_id": UUID}, {"status": int8, "result": StepsResult}),
    "simulate_steps/_action/cancel_goal": service(
        "action_msgs/srv", "CancelGoal", {"goal_info": GoalInfo}, {"return_code": int8, "goals_canceling": sequence[GoalInfo]}),
}

# Parameters.

ParameterValue = message(
    "rcl_interfaces/msg", "ParameterValue", type=uint8, bool_value=bool, integer_value=int64, double_value=float64, string_value=str,
    byte_array_value=sequence[uint8], bool_array_value=sequence[bool], integer_array_value=sequence[int64],
    double_array_value=sequence[float64], string_array_value=sequence[str])
Parameter = message("rcl_interfaces/msg", "Parameter", name=str, value=ParameterValue)
SetParametersResult = message("rcl_interfaces/msg", "SetParametersResult", successful=bool, reason=str)
ParameterEvent = message(
    "rcl_interfaces/msg", "ParameterEvent", stamp=Time, node=str, new_parameters=sequence[Parameter],
    changed_parameters=sequence[Parameter], deleted_parameters=sequence[Parameter])
SERVICES |= {
    "simdeck/get_parameters": service("rcl_interfaces/srv", "GetParameters", {"names": sequence[str]}, {"values": sequence[ParameterValue]}),
    "simdeck/set_parameters": service(
        "rcl_interfaces/srv", "SetParameters", {"parameters": sequence[Parameter]}, {"results": sequence[SetParametersResult]}),
}
