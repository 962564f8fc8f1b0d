"""Spawnables, named poses, spawning and deleting."""

import math

import pytest
from simulation_interfaces.msg import Result, TagsFilter
from simulation_interfaces.srv import SpawnEntity

from client import place, spawning

BOX = """<sdf version="1.9"><model name="parcel"><link name="body">
<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link></model></sdf>"""


@pytest.fixture(autouse=True)
def nothing_is_left(ros):
    before = set(ros.names())
    yield
    for name in set(ros.names()) - before:
        ros.ok("delete_entity", entity=name)
    assert set(ros.names()) == before


def test_spawnables_are_described(ros, origin):
    found = ros.ok("get_spawnables").spawnables
    ours = [s for s in found if "@cache@" in s.entity_resource.uri]
    assert len(ours) >= 2 and all(s.description for s in ours), found
    assert any(origin.model in s.entity_resource.uri for s in found), "the search path is not searched"


def test_every_spawnable_spawns_by_its_uri(ros):
    for n, s in enumerate(ros.ok("get_spawnables").spawnables):
        name = ros.spawn(f"sample{n}", uri=s.entity_resource.uri, pose=place(60 + 5 * n, 60, 0.5))
        assert name in ros.names()
        assert math.isclose(ros.state(name).pose.position.x, 60 + 5 * n, abs_tol=0.5)


def test_a_two_wheeled_robot_spawns_at_a_named_pose(ros, origin):
    poses = ros.ok("get_named_poses").poses
    assert poses and all(p.name for p in poses)
    spot = poses[0]
    name = ros.spawn("wheeler", uri=origin.sdf, frame=spot.name)
    at = ros.state(name).pose.position
    assert math.hypot(at.x - spot.pose.position.x, at.y - spot.pose.position.y) < 0.05, (at, spot)


def test_named_poses_are_filtered_by_tags(ros):
    poses = ros.ok("get_named_poses").poses
    tag = next(t for p in poses for t in p.tags)
    some = ros.ok("get_named_poses", tags=TagsFilter(tags=[tag])).poses
    assert {p.name for p in some} == {p.name for p in poses if tag in p.tags} != set()


def test_a_urdf_spawns_by_package_uri(ros, origin):
    name = ros.spawn("described", uri=origin.urdf, pose=place(80, 60))
    assert ros.state(name).pose.position.x == pytest.approx(80, abs=0.1)


def test_a_model_spawns_by_its_path(ros, origin):
    name = ros.spawn("filed", uri=str(origin.path), pose=place(80, 60))
    assert name in ros.names()


def test_a_model_spawns_from_its_text(ros):
    name = ros.spawn("", text=BOX, pose=place(60, 60, 0.1), allow_renaming=True)
    again = ros.spawn("", text=BOX, pose=place(62, 60, 0.1), allow_renaming=True)
    assert (name, again) == ("parcel", "parcel_1")


def test_a_megabyte_of_text_arrives_whole(ros):
    # The end of the text is what gives the box its size: half of it would not parse, and another would not fit.
    text = BOX.replace("<model", "<!-- " + "x" * 1_000_000 + " --><model")
    name = ros.spawn("large", text=text, pose=place(60, 60, 0.1))
    assert name in ros.names()


def test_a_namespace_becomes_the_topics_prefix(ros, origin):
    ros.spawn("spaced", uri=origin.sdf, entity_namespace="north/wing", pose=place(60, 60))
    assert "spaced" in ros.names()
    ros.until(lambda: "/north/wing/odom" in dict(ros.node.get_topic_names_and_types()), "/north/wing/odom")
    ros.ok("delete_entity", entity="spaced")
    ros.until(lambda: "/north/wing/odom" not in dict(ros.node.get_topic_names_and_types()), "the topics to go with the robot")


def test_what_was_deleted_is_gone(ros):
    name = ros.spawn("short-lived", text=BOX, pose=place(60, 60, 0.1))
    ros.ok("delete_entity", entity=name)
    assert name not in ros.names()
    ros.refused("get_entity_state", Result.RESULT_NOT_FOUND, entity=name)
    ros.refused("delete_entity", Result.RESULT_NOT_FOUND, entity=name)


def test_the_world_cannot_be_deleted(ros):
    ros.refused("delete_entity", Result.RESULT_OPERATION_FAILED, entity="floor")
    assert "floor" in ros.names()


REFUSED = {
    "position NaN": (SpawnEntity.Response.INVALID_POSE, dict(pose=place(math.nan, 0, 0))),
    "position infinite": (SpawnEntity.Response.INVALID_POSE, dict(pose=place(0, math.inf, 0))),
    "frame unknown": (SpawnEntity.Response.INVALID_POSE, dict(frame="nowhere")),
    "name with a space": (SpawnEntity.Response.NAME_INVALID, dict(name="two words")),
    "name empty, no renaming": (SpawnEntity.Response.NAME_INVALID, dict(name="")),
    "namespace with a dash": (SpawnEntity.Response.NAMESPACE_INVALID, dict(entity_namespace="a-b")),
    "nothing to spawn": (SpawnEntity.Response.NO_RESOURCE, dict(text="")),
    "text that is no model": (SpawnEntity.Response.RESOURCE_PARSE_ERROR, dict(text="<sdf version='1.9'><model name='m'>")),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_spawn_is_refused_and_leaves_nothing(ros, case):
    refuses(ros, *REFUSED[case])


def test_a_mesh_is_refused_as_a_model_and_leaves_nothing(ros, origin):
    refuses(ros, SpawnEntity.Response.UNSUPPORTED_FORMAT, dict(text="", uri=origin.mesh))


def refuses(ros, code, fields):
    before = ros.names()
    ros.refused("spawn_entity", code, **spawning(**{"name": "bad", "text": BOX, "pose": None, **fields}))
    assert ros.names() == before


def test_a_taken_name_is_refused_or_renamed(ros):
    name = ros.spawn("twin", text=BOX, pose=place(60, 60, 0.1))
    why = ros.refused("spawn_entity", SpawnEntity.Response.NAME_NOT_UNIQUE, **spawning(name, text=BOX, pose=place(62, 60, 0.1)))
    assert name in why
    assert ros.spawn(name, text=BOX, pose=place(64, 60, 0.1), allow_renaming=True) == "twin_1"


def test_a_missing_collision_mesh_is_named(ros):
    text = BOX.replace("<box><size>0.2 0.2 0.2</size></box>", "<mesh><uri>model://nowhere/hull.stl</uri></mesh>")
    why = ros.refused("spawn_entity", SpawnEntity.Response.MISSING_ASSETS, **spawning("meshless", text=text, pose=place(60, 60)))
    assert "hull.stl" in why
