"""What a client names is read only where the user lets it be, and nothing is told of a file that is no model."""

import pytest
from gs_sim_msgs.action import ExecuteScenario
from rclpy.action import ActionClient
from rcl_interfaces.msg import Log
from simulation_interfaces.msg import Resource, Result
from simulation_interfaces.srv import GetAvailableWorlds, GetSpawnables, LoadWorld, SpawnEntity

MARKER = "Xyzzy7Marker"
MODEL = f'<sdf version="1.9"><model name="{MARKER}"><link name="l"/></model></sdf>'
NOTES = f"root:{MARKER}:19000\npassword: {MARKER}\n"


@pytest.fixture
def vault(tmp_path):
    """A folder that clients may search, and one beside it that they may not."""
    inside, outside = tmp_path / "robots", tmp_path / "private"
    for folder in (inside, outside):
        folder.mkdir()
    for name in ("shadow", "shadow.sdf", "shadow.world"):
        (outside / name).write_text(NOTES if name == "shadow" else MODEL)
    for name in ("notes", "notes.sdf", "notes.xacro", "notes.yaml", "notes.proto", "notes.obj"):
        (inside / name).write_text(NOTES)
    (inside / "box.sdf").write_text('<sdf version="1.9"><model name="box"><link name="l"/></model></sdf>')
    (inside / "link.sdf").symlink_to(outside / "shadow.sdf")
    (inside / "folder").symlink_to("../private")
    return inside, outside


def hostile(inside, outside):
    secret = outside / "shadow.sdf"
    return [str(secret), f"file://{secret}", f"file://localhost{secret}", f"file://host{secret}", f"file:///{secret}", f"file:{secret}", f"/{secret}",
            f"file://{outside}/shadow", f"{outside}/shadow.world", "file://" + str(secret).replace("/", "%2f"), f"{inside}/../private/shadow.sdf",
            "../private/shadow.sdf", "..\\private\\shadow.sdf", "..%2fprivate%2fshadow.sdf", f"{inside}/%2e%2e/private/shadow.sdf",
            "package://../private/shadow.sdf", "model://../private/shadow.sdf", "spawnable://path1/../private/shadow", f"/proc/self/root{secret}",
            "/proc/self/environ", "file:///etc/passwd", f"{secret}.", f"{secret}%00", f"{inside}/link.sdf", f"{inside}/folder/shadow.sdf", "link.sdf",
            f"{inside}/notes", f"{inside}/notes.sdf", f"{inside}/notes.xacro", f"{inside}/notes.yaml", f"{inside}/notes.proto"]


def texts(uri):
    return [f'<sdf version="1.9"><model name="m"><link name="l"/><include><uri>{uri}</uri></include></model></sdf>',
            f'<robot name="r"><link name="l"><visual><geometry><mesh filename="{uri}"/></geometry></visual></link></robot>',
            f'<robot name="r" xmlns:xacro="x"><xacro:include filename="{uri}"/><link name="l"/></robot>',
            f"""<robot name="r" xmlns:xacro="x"><link name="${{xacro.load_yaml('{uri}')}}"/></robot>""",
            f'<mujoco><include file="{uri}"/><worldbody><body><geom size="1"/></body></worldbody></mujoco>']


def test_no_service_reads_or_tells_what_the_user_did_not_open(start, vault):
    inside, outside = vault
    simdeck = start("track", "--path", inside, "--paused")
    client = simdeck.client()
    log = client.listen(Log, "/rosout")
    heard, call = [], client.call_type

    def ask(kind, name, /, **fields):
        answer = call(kind, name, **fields)
        heard.append(str(answer))
        return answer

    scenario = ActionClient(client.node, ExecuteScenario, "/sim/execute_scenario")
    client.until(scenario.server_is_ready, "the action of scenarios")
    world = client.names()
    for after in (False, True):
        for source in ["/", str(outside), "/proc/self/root"] if after else []:
            listed = ask(GetSpawnables, "/get_spawnables", sources=[source])
            assert listed.result.result == Result.RESULT_OK and "--spawn-from anywhere" in listed.result.error_message, listed.result
            worlds = ask(GetAvailableWorlds, "/get_available_worlds", additional_sources=[source])
            assert worlds.result.result == Result.RESULT_OPERATION_FAILED and "--spawn-from anywhere" in worlds.result.error_message, worlds.result
        for uri in hostile(inside, outside):
            for kind, name, field in ((SpawnEntity, "/spawn_entity", "entity_resource"), (LoadWorld, "/load_world", "world_resource")):
                fields = {"name": "x", "allow_renaming": True} if kind is SpawnEntity else {}
                got = ask(kind, name, **{field: Resource(uri=uri)}, **fields)
                assert got.result.result != Result.RESULT_OK, f"{name} took {uri!r}"
                for text in texts(uri):
                    if kind is SpawnEntity:
                        ask(kind, name, **{field: Resource(resource_string=text)}, **fields)
            goal = scenario.send_goal_async(ExecuteScenario.Goal(scenario_file=uri))
            client.until(goal.done, "the goal to be taken")
            result = goal.result().get_result_async()
            client.until(result.done, "the scenario to end")
            heard.append(str(result.result()))
    told = "\n".join(heard + [m.msg for m in log.messages])
    assert "outside the search folders" in told
    at = told.find(MARKER)
    assert at < 0, told[max(0, at - 300):at + 50]
    assert MARKER not in simdeck.text() and "root:x:0" not in told
    assert set(world) <= set(client.names()), "a world that could not be loaded took the one that stood"
    box = ask(SpawnEntity, "/spawn_entity", name="box", entity_resource=Resource(uri=f"file://{inside}/box.sdf"))
    assert box.result.result == Result.RESULT_OK, box.result.error_message
    client.close()
    simdeck.quit()


def test_a_user_opens_more_and_less(start, vault):
    inside, outside = vault
    for reach, source, file, text in (("anywhere", "", True, True), ("search", "--spawn-from", False, True), ("listed", "--spawn-from", False, False)):
        simdeck = start("empty", "--path", inside, "--paused", "--spawn-from", reach)
        client = simdeck.client()
        call = client.call_type
        listed = call(GetSpawnables, "/get_spawnables", sources=[str(outside)])
        assert source in listed.result.error_message and any("private" in str(s) for s in listed.spawnables) == file, listed
        took = lambda name, **resource: call(SpawnEntity, "/spawn_entity", name=name, entity_resource=Resource(**resource)).result
        got = took("secret", uri=f"file://{outside}/shadow.sdf")
        assert (got.result == Result.RESULT_OK) == file, got
        got = took("text", resource_string='<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
        assert (got.result == Result.RESULT_OK) == text, got
        assert took("box", uri=f"file://{inside}/box.sdf").result == Result.RESULT_OK
        told = took("plain", uri=f"file://{outside}/shadow").error_message
        assert MARKER not in told, told
        client.close()
        simdeck.quit()
