"""Scripts written for O3DE's ROS2SpawnerComponent: its meaning of gazebo_msgs, when it is asked for."""

import pytest
from gazebo_msgs.srv import DeleteEntity, GetModelState, GetWorldProperties, SpawnEntity


@pytest.fixture(scope="module")
def simdeck(start):
    s = start("--legacy", "o3de", "--paused")
    yield s
    s.quit()


def test_a_spawnable_is_spawned_at_a_spawn_point_and_deleted_by_the_name_in_the_answer(ros, call):
    spawnables = call(GetWorldProperties, "/get_available_spawnable_names").model_names
    points = call(GetWorldProperties, "/get_spawn_points_names").model_names
    assert "crate" in spawnables and "default" in points, (spawnables, points)
    point = next(p for p in points if p != "default")
    pose = call(GetModelState, "/get_spawn_point_info", model_name=point).pose
    answer = call(SpawnEntity, "/spawn_entity", name="crate", xml=point)
    assert answer.success and answer.status_message in ros.names(), answer.status_message
    at = ros.state(answer.status_message).pose.position
    assert abs(at.x - pose.position.x) < 1e-6 and abs(at.y - pose.position.y) < 1e-6
    assert call(DeleteEntity, "/delete_entity", name=answer.status_message).success
    assert answer.status_message not in ros.names()


def test_what_is_not_there_is_refused_with_a_reason(call):
    assert "nobody" in call(SpawnEntity, "/spawn_entity", name="nobody").status_message
    assert "nowhere" in call(GetModelState, "/get_spawn_point_info", model_name="nowhere").status_message
