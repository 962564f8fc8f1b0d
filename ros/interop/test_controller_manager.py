"""Robots whose file has <ros2_control>: their controllers are spawned as ros2_control's spawner does it, call by call, and move them."""

import pytest
from action_msgs.msg import GoalStatus
from control_msgs.action import FollowJointTrajectory
from controller_manager_msgs.srv import (ConfigureController, ListControllers, ListControllerTypes, ListHardwareComponents,
                                         ListHardwareInterfaces, LoadController, SetHardwareComponentState, SwitchController,
                                         UnloadController)
from geometry_msgs.msg import TwistStamped
from lifecycle_msgs.msg import State
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from rclpy.action import ActionClient
from rclpy.duration import Duration
from sensor_msgs.msg import JointState
from simulation_interfaces.msg import SimulationState
from trajectory_msgs.msg import JointTrajectoryPoint

from client import NEWEST, place

FOLDER = "package://controlled_arm_description"


class Manager:
    """A controller manager as the spawner calls it."""

    def __init__(self, ros, namespace=""):
        self.ros, self.name = ros, f"{namespace}/controller_manager"

    def call(self, service, path, /, **fields):
        client = self.ros.node.create_client(service, f"{self.name}/{path}")
        self.ros.until(client.service_is_ready, f"{self.name}/{path}")
        future = client.call_async(service.Request(**fields))
        self.ros.until(future.done, f"an answer of {path}")
        self.ros.node.destroy_client(client)
        return future.result()

    def controllers(self):
        return {c.name: c for c in self.call(ListControllers, "list_controllers").controller}

    def set(self, name, value):
        """Sets a parameter that nobody has declared."""
        parameter = Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=value))
        return self.call(SetParameters, "set_parameters", parameters=[parameter]).results[0].successful

    def switch(self, activate=(), deactivate=(), strictness=SwitchController.Request.STRICT):
        return self.call(SwitchController, "switch_controller", activate_controllers=list(activate),
                         deactivate_controllers=list(deactivate), strictness=strictness, activate_asap=False,
                         timeout=Duration(seconds=5.0).to_msg())

    def spawn(self, name):
        """What `spawner NAME` does."""
        assert name not in self.controllers()
        assert self.call(LoadController, "load_controller", name=name).ok
        assert self.call(ConfigureController, "configure_controller", name=name).ok
        answer = self.switch(activate=[name])
        assert answer.ok, answer.message
        assert self.controllers()[name].state == "active"


@pytest.fixture(scope="module")
def arm(ros):
    name = ros.spawn("controlled", uri=f"{FOLDER}/urdf/arm.urdf.xacro", pose=place(70, 70))
    yield Manager(ros)
    ros.ok("delete_entity", entity=name)


def test_hardware_and_types_are_listed(arm):
    kinds = arm.call(ListControllerTypes, "list_controller_types")
    assert "joint_trajectory_controller/JointTrajectoryController" in kinds.types
    assert len(kinds.types) == len(kinds.base_classes)
    component, = arm.call(ListHardwareComponents, "list_hardware_components").component
    assert (component.name, component.type, component.state.label) == ("arm_hardware", "system", "active")
    assert component.plugin_name == "gz_ros2_control/GazeboSimSystem"
    faces = arm.call(ListHardwareInterfaces, "list_hardware_interfaces")
    assert {i.name for i in faces.command_interfaces} == {f"{j}/{i}" for j in ("shoulder", "elbow") for i in ("position", "velocity")}
    assert all(i.is_available and not i.is_claimed for i in faces.command_interfaces)


def test_a_spawned_controller_follows_a_trajectory(ros, arm):
    arm.spawn("joint_state_broadcaster")
    arm.spawn("arm_controller")
    assert list(arm.controllers()["arm_controller"].claimed_interfaces) == ["shoulder/position", "elbow/position"]
    states = ros.listen(JointState, "/joint_states", NEWEST)
    client = ActionClient(ros.node, FollowJointTrajectory, "/arm_controller/follow_joint_trajectory")
    ros.until(client.server_is_ready, "the action server")
    goal = FollowJointTrajectory.Goal()
    goal.trajectory.joint_names = ["elbow", "shoulder"]
    goal.trajectory.points = [JointTrajectoryPoint(positions=[0.8, -0.4], time_from_start=Duration(seconds=1.0).to_msg())]
    future = client.send_goal_async(goal)
    ros.until(future.done, "an answer to the goal")
    assert future.result().accepted
    result = future.result().get_result_async()
    ros.until(result.done, "the result")
    assert result.result().status == GoalStatus.STATUS_SUCCEEDED, result.result().result

    def there():
        at = states.last and dict(zip(states.last.name, states.last.position))
        return at and abs(at["elbow"] - 0.8) < 0.02 and abs(at["shoulder"] + 0.4) < 0.02

    ros.until(there, lambda: f"the arm at its goal: {states.last}")
    client.destroy()


def test_a_controller_in_the_way_is_refused_and_told(ros, arm):
    assert arm.set("mine.type", "position_controllers/JointGroupPositionController")
    assert arm.call(LoadController, "load_controller", name="position_controller").ok
    assert arm.call(ConfigureController, "configure_controller", name="position_controller").ok
    answer = arm.switch(activate=["position_controller"])
    assert not answer.ok and "arm_controller" in answer.message
    assert arm.switch(activate=["position_controller"], deactivate=["arm_controller"]).ok
    assert {n: c.state for n, c in arm.controllers().items()} == {
        "joint_state_broadcaster": "active", "arm_controller": "inactive", "position_controller": "active"}
    assert not arm.call(UnloadController, "unload_controller", name="position_controller").ok
    assert arm.call(UnloadController, "unload_controller", name="arm_controller").ok


def test_hardware_is_brought_from_state_to_state(arm):
    for state, label in ((State.PRIMARY_STATE_INACTIVE, "inactive"), (State.PRIMARY_STATE_ACTIVE, "active")):
        answer = arm.call(SetHardwareComponentState, "set_hardware_component_state", name="arm_hardware", target_state=State(id=state))
        assert answer.ok and answer.state.label == label


def test_services_answer_while_the_simulation_is_paused(ros, arm):
    ros.ok("set_simulation_state", state=SimulationState(state=SimulationState.STATE_PAUSED))
    try:
        assert arm.call(LoadController, "load_controller", name="velocity_controller").ok
        assert arm.call(ConfigureController, "configure_controller", name="velocity_controller").ok
        assert arm.switch(activate=["velocity_controller"]).ok
        assert arm.switch(deactivate=["velocity_controller"]).ok
        assert arm.call(UnloadController, "unload_controller", name="velocity_controller").ok
    finally:
        ros.ok("set_simulation_state", state=SimulationState(state=SimulationState.STATE_PLAYING))


def test_a_cart_is_driven_by_its_controller(ros):
    name = ros.spawn("cart", uri=f"{FOLDER}/urdf/cart.urdf", pose=place(80, 80, 0.09))
    Manager(ros, "/cart").spawn("base_controller")
    odom = ros.listen(Odometry, "/cart/base_controller/odom", NEWEST)
    drive = ros.publisher(TwistStamped, "/cart/base_controller/cmd_vel")
    command = TwistStamped()
    command.twist.linear.x = 0.5

    def far():
        drive.publish(command)
        return odom.last and odom.last.pose.pose.position.x > 0.5

    ros.until(far, "half a metre")
    ros.until(lambda: abs(odom.last.twist.twist.linear.x) < 0.01, "it to stop without commands")
    ros.ok("delete_entity", entity=name)
