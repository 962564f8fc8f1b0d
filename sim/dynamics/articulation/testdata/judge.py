"""Computes robots with Pinocchio: a list of {"file", "floating"} comes on stdin as JSON, and answers go to stdout.

An answer has random configurations, and of each the mass matrix, Coriolis and centrifugal forces, gravity, and the pose and
the Jacobian of every link. Of a floating base the velocities are those of the root link's centre of mass, along the world's
axes, before the joints'; Pinocchio's own are of the root link's frame, along its axes."""

import json
import os
import sys
import xml.etree.ElementTree as xml

import numpy as np
import pinocchio as pin

CONFIGURATIONS = 3
MOST_COLUMNS = 64  # of Jacobians that are written whole


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def root_com(file):
    """The centre of mass of the link that is nobody's child, in its frame."""
    robot = xml.parse(file).getroot()
    children = {j.find("child").get("link") for j in robot.findall("joint")}
    root = next(l for l in robot.findall("link") if l.get("name") not in children)
    origin = root.find("inertial/origin")
    return np.array([float(x) for x in (origin.get("xyz", "0 0 0") if origin is not None else "0 0 0").split()])


def configuration(model, floating, com, random):
    n = model.nv
    q, v = pin.neutral(model), random.standard_normal(n)
    out = {"q": [], "joints": []}
    convert, drift = np.eye(n), np.zeros(n)  # Pinocchio's velocities = convert · ours; drift = d(convert)/dt · ours
    for i in range(1, model.njoints):
        joint = model.joints[i]
        at = joint.idx_q
        if joint.nv == 6:
            turn = random.standard_normal(4)
            q[:7] = np.concatenate([random.standard_normal(3), turn / np.linalg.norm(turn)])
            r = pin.Quaternion(q[6], q[3], q[4], q[5]).toRotationMatrix()
            out["base"] = list(q[:3] + r @ com) + list(q[3:7])
            arm = r @ com
            convert[:3, :3], convert[:3, 3:6], convert[3:6, 3:6] = r.T, r.T @ skew(arm), r.T
            spin = v[3:6]
            moves = v[:3] - np.cross(spin, arm)
            drift[:3] = r.T @ (-np.cross(spin, np.cross(spin, arm)) - np.cross(spin, moves))
            continue
        if joint.nv != 1:
            raise ValueError(f"joint {model.names[i]} is a {joint.shortname()}")
        x = random.uniform(-3, 3)
        if joint.nq == 2:
            q[at], q[at + 1] = np.cos(x), np.sin(x)
        else:
            q[at] = x
        out["q"].append(x)
        out["joints"].append(model.names[i])
    out["v"] = list(v)
    data = model.createData()
    theirs = convert @ v
    mass = np.triu(np.reshape(pin.crba(model, data, q), (n, n)))
    mass = mass + np.triu(mass, 1).T
    weight = np.array(pin.computeGeneralizedGravity(model, data, q))
    bias = np.array(pin.nonLinearEffects(model, data, q, theirs)) - weight + mass @ drift
    out["mass"] = list((convert.T @ mass @ convert).flatten())
    out["bias"], out["weight"] = list(convert.T @ bias), list(convert.T @ weight)
    pin.computeJointJacobians(model, data, q)
    pin.updateFramePlacements(model, data)
    out["links"] = {}
    for i, frame in enumerate(model.frames):
        if frame.type != pin.FrameType.BODY:
            continue
        jacobian = pin.getFrameJacobian(model, data, i, pin.LOCAL_WORLD_ALIGNED)
        jacobian = np.reshape(jacobian, (6, n)) @ convert
        pose = data.oMf[i]
        link = {"at": list(pose.translation), "turn": list(pose.rotation.flatten()), "twist": list(jacobian @ v)}
        if n <= MOST_COLUMNS:
            link["jacobian"] = list(jacobian.flatten())
        out["links"][frame.name] = link
    return out


def answer(task):
    try:
        if task["floating"]:
            model = pin.buildModelFromUrdf(task["file"], pin.JointModelFreeFlyer())
        else:
            model = pin.buildModelFromUrdf(task["file"])
        if model.nv == 0:
            return {"rigid": True}  # its matrices would be empty, and it crashes
        com, random = root_com(task["file"]), np.random.default_rng(7)
        return {"configurations": [configuration(model, task["floating"], com, random) for _ in range(CONFIGURATIONS)]}
    except Exception as e:  # such a robot stands in the test's list of those that are not compared
        return {"error": str(e).split("\n")[0]}


def apart(task):
    """The answer of a process of its own: on some files Pinocchio ends the process."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        with os.fdopen(into, "w") as f:
            json.dump(answer(task), f)
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as f:
        said = f.read()
    _, status = os.waitpid(child, 0)
    return json.loads(said) if status == 0 else {"error": "it crashes"}


json.dump([apart(task) for task in json.load(sys.stdin)], sys.stdout)
