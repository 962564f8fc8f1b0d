"""Scripts written for Gazebo Classic: gazebo_msgs beside simulation_interfaces, when it is asked for."""

import pytest
from gazebo_msgs.msg import EntityState, LinkStates, ModelStates
from gazebo_msgs.srv import DeleteEntity, GetEntityState, GetModelList, SetEntityState, SpawnEntity
from geometry_msgs.msg import Point, Pose, Twist, Vector3

CRATE = """<sdf version="1.9"><model name="crate"><pose>0 0 0.1 0 0 0</pose><link name="body">
<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link></model></sdf>"""


@pytest.fixture(scope="module")
def simdeck(start):
    s = start("--legacy", "gazebo")
    yield s
    s.quit()


@pytest.fixture(scope="module")
def crate(ros, call):
    """Spawned by the factory of old, while the simulation is paused."""
    ros.pause()
    there = Pose(position=Point(x=20.0, y=1.0, z=5.0))
    there.orientation.w = 1.0
    answer = call(SpawnEntity, "/spawn_entity", name="crate", xml=CRATE, initial_pose=there, reference_frame="world")
    assert answer.success and "crate" in answer.status_message
    return "crate"


def test_what_is_spawned_is_listed_by_old_and_new_services_alike(ros, call, crate):
    names = call(GetModelList, "/get_model_list").model_names
    assert crate in names and sorted(names) == sorted(ros.names())
    again = call(SpawnEntity, "/spawn_entity", name=crate, xml=CRATE)
    assert not again.success and crate in again.status_message


def test_a_state_that_is_set_is_the_state_that_is_got(ros, call, crate):
    state = EntityState(name=crate, reference_frame="world", pose=Pose(position=Point(x=21.0, y=2.0, z=6.0)),
                        twist=Twist(linear=Vector3(x=0.5, y=0.0, z=1.0), angular=Vector3(x=0.0, y=0.0, z=2.0)))
    state.pose.orientation.w = 1.0
    assert call(SetEntityState, "/set_entity_state", state=state).success
    for name in (crate, f"{crate}::body"):
        got = call(GetEntityState, "/get_entity_state", name=name, reference_frame="world")
        assert got.success and got.state.pose == state.pose and got.state.twist == state.twist
    assert ros.state(crate).pose == state.pose, "the new service says otherwise"
    assert not call(GetEntityState, "/get_entity_state", name="nobody").success


def test_states_of_all_models_and_links_come_while_time_goes_on(ros, crate):
    models, links = ros.listen(ModelStates, "/model_states"), ros.listen(LinkStates, "/link_states")
    ros.play()
    ros.until(lambda: len(models.messages) >= 20 and len(links.messages) >= 20, "20 of each")
    ros.pause()
    m, n = models.last, links.last
    assert len(m.name) == len(m.pose) == len(m.twist) == len(ros.names()) and crate in m.name
    assert len(n.name) == len(n.pose) == len(n.twist) and f"{crate}::body" in n.name
    heights = [s.pose[s.name.index(crate)].position.z for s in models.messages]
    assert heights != [heights[0]] * len(heights), "it does not move"


def test_the_log_tells_once_that_it_is_deprecated_and_what_to_take(simdeck, call, crate):
    for _ in range(3):
        call(GetModelList, "/get_model_list")
    said = [line for line in simdeck.text().splitlines() if "deprecated" in line and "get_model_list" in line]
    assert len(said) == 1 and "simulation_interfaces" in said[0], said


def test_what_is_deleted_is_gone(ros, call, crate):
    assert call(DeleteEntity, "/delete_entity", name=crate).success
    assert crate not in ros.names()
    gone = call(DeleteEntity, "/delete_entity", name=crate)
    assert not gone.success and crate in gone.status_message
