"""Joints between models that topics let go and make again, as scripts for Gazebo do it through ros_gz_bridge."""

import pathlib

from gazebo_msgs.srv import SetModelConfiguration
from sensor_msgs.msg import JointState
from std_msgs.msg import Empty, String

from client import LATCHED

WORLD = str(pathlib.Path(__file__).parent / "testdata" / "picking.sdf")


def test_a_joint_is_let_go_and_made_again_by_topics(start):
    simdeck = start(WORLD)
    ros = simdeck.client("picker")
    state = ros.listen(String, "/part/state", LATCHED)
    ros.until(lambda: state.last and state.last.data == "attached", "the joint of the file")

    def height():
        return ros.state("part").pose.position.z

    assert abs(height() - 1) < 1e-3, "the part hangs at the hand"
    let_go, hold = ros.publisher(Empty, "/part/detach"), ros.publisher(Empty, "/part/attach")
    let_go.publish(Empty())
    ros.until(lambda: state.last.data == "detached", "the part to be let go")
    ros.until(lambda: height() < 0.9, "the part to fall")
    hold.publish(Empty())
    ros.until(lambda: state.last.data == "attached", "the part to be held again")
    held = height()
    late = ros.listen(String, "/part/state", LATCHED)
    ros.until(lambda: late.last and late.last.data == "attached", "the state for who comes late")
    assert abs(height() - held) < 1e-3, "the part hangs where it was when it was attached"
    ros.close()
    simdeck.quit()


def test_joints_are_put_at_positions_by_the_service_of_gazebo_classic(start):
    simdeck = start("armcell", "--paused")
    ros = simdeck.client("poser")
    joints = ros.listen(JointState, "/arm/joint_states")

    def configure(names, positions):
        return ros.call_type(SetModelConfiguration, "/set_model_configuration", model_name="arm", joint_names=names,
                             joint_positions=positions)

    ros.until(lambda: joints.last, "the joints of a simulation that is paused")
    done = configure(["joint_1", "joint_2"], [0.7, 0.4])
    assert done.success, done.status_message
    ros.until(lambda: joints.last and abs(dict(zip(joints.last.name, joints.last.position))["joint_1"] - 0.7) < 1e-6, "joint_1 at 0.7 rad")
    assert abs(dict(zip(joints.last.name, joints.last.position))["joint_2"] - 0.4) < 1e-6
    for names, positions, why in [(["joint_9"], [0.1], "joint_1"), (["joint_1"], [], "one for each"), (["joint_1"], [float("nan")], "NaN")]:
        refused = configure(names, positions)
        assert not refused.success and why in refused.status_message, refused.status_message
    ros.close()
    simdeck.quit()
