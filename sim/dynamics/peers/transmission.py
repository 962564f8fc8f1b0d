"""Writes lengths and Jacobians of random tendons, sites and slider-cranks as MuJoCo has them.

Usage: python transmission.py > ../transmission/testdata/mujoco.json

Three free bodies stand at random poses. A string of up to nine parts goes through sites on them and on the
world, around spheres and cylinders, over pulleys. A Jacobian is a force and a torque about the origin of
each body, along axes of the world.
"""
import json
import random

import mujoco
import numpy as np

random.seed(7)


def vec(s):
    return [round(random.uniform(-s, s), 4) for _ in range(3)]


def quat():
    q = np.array([random.gauss(0, 1) for _ in range(4)])
    return [round(float(x), 6) for x in q / np.linalg.norm(q)]


def text(v):
    return " ".join(repr(float(x)) for x in v)


def string():
    """Parts of a string, and what bodies hold of them."""
    parts = []
    branches = random.choice([1, 1, 1, 2, 3])
    for branch in range(branches):
        if branch > 0 or random.random() < 0.1:
            parts.append({"kind": 2, "divisor": round(random.uniform(0.5, 3), 3)})
        body = random.randrange(-1, 3)
        parts.append({"kind": 1, "body": body, "pos": vec(0.4)})
        for _ in range(random.choice([1, 1, 2])):
            if random.random() < 0.75:
                shape = {"kind": random.choice([3, 4]), "body": random.randrange(0, 3), "pos": vec(0.1),
                         "quat": quat(), "radius": round(random.uniform(0.03, 0.25), 4)}
                if random.random() < 0.6:
                    reach = 0.5 if random.random() < 0.7 else 0.1 * shape["radius"]
                    shape["sidebody"], shape["side"] = shape["body"], vec(reach)
                parts.append(shape)
            parts.append({"kind": 1, "body": random.randrange(-1, 3), "pos": vec(0.4)})
    return parts


def model(case):
    inner, n = {-1: "", 0: "", 1: "", 2: ""}, 0
    path = ""
    for k in case.get("parts", []):
        n += 1
        if k["kind"] == 2:
            path += f'<pulley divisor="{k["divisor"]}"/>'
        elif k["kind"] == 1:
            inner[k["body"]] += f'<site name="s{n}" pos="{text(k["pos"])}"/>'
            path += f'<site site="s{n}"/>'
        else:
            kind = "sphere" if k["kind"] == 3 else "cylinder"
            size = f'{k["radius"]}' + (" 1" if kind == "cylinder" else "")
            inner[k["body"]] += (f'<geom name="g{n}" type="{kind}" size="{size}" pos="{text(k["pos"])}" '
                                 f'quat="{text(k["quat"])}" mass="0" contype="0" conaffinity="0"/>')
            side = ""
            if "side" in k:
                inner[k["sidebody"]] += f'<site name="d{n}" pos="{text(k["side"])}"/>'
                side = f' sidesite="d{n}"'
            path += f'<geom geom="g{n}"{side}/>'
    actuator = ""
    for name in ("site", "ref", "slider", "pin"):
        if name in case:
            m = case[name]
            inner[m["body"]] += f'<site name="{name}" pos="{text(m["pos"])}" quat="{text(m["quat"])}"/>'
    if "gear" in case:
        ref = ' refsite="ref"' if "ref" in case else ""
        actuator = f'<motor site="site"{ref} gear="{text(case["gear"])}"/>'
    if "rod" in case:
        actuator = f'<motor cranksite="pin" slidersite="slider" cranklength="{case["rod"]}"/>'
    bodies = "".join(f'<body pos="0 0 0"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{inner[i]}</body>'
                     for i in range(3))
    tendon = f"<tendon><spatial>{path}</spatial></tendon>" if path else ""
    return (f'<mujoco><worldbody>{inner[-1]}{bodies}</worldbody>{tendon}'
            f'<actuator>{actuator}</actuator></mujoco>')


def solve(case):
    m = mujoco.MjModel.from_xml_string(model(case))
    d = mujoco.MjData(m)
    d.qpos[:] = np.concatenate([np.array(b) for b in case["bodies"]])
    mujoco.mj_forward(m, d)
    if "parts" in case:
        length, row = d.ten_length[0], np.zeros(m.nv)
        for k in range(m.ten_J_rownnz[0]):
            at = m.ten_J_rowadr[0] + k
            row[m.ten_J_colind[at]] = d.ten_J[at]
    else:
        length, row = d.actuator_length[0], np.zeros(m.nv)
        for k in range(d.moment_rownnz[0]):
            at = d.moment_rowadr[0] + k
            row[d.moment_colind[at]] = d.actuator_moment[at]
    case["length"], case["jacobian"] = round(float(length), 9), []
    for b in range(3):
        turn = d.xmat[b + 1].reshape(3, 3) @ row[6 * b + 3:6 * b + 6]
        case["jacobian"] += [round(float(x), 8) for x in np.concatenate([row[6 * b:6 * b + 3], turn])]
    return case


def place():
    return [vec(0.6) + quat() for _ in range(3)]


def mount():
    return {"body": random.randrange(0, 3), "pos": vec(0.4), "quat": quat()}


cases = []
while len(cases) < 120:
    try:
        cases.append(solve({"bodies": place(), "parts": string()}))
    except ValueError:  # a site is repeated, or the like
        pass
for i in range(12):
    case = {"bodies": place(), "site": mount(), "gear": vec(2) + vec(2)}
    if i > 3:
        case["ref"] = mount()
        while case["ref"]["body"] == case["site"]["body"]:
            case["ref"] = mount()
    cases.append(solve(case))
for i in range(12):
    case = {"bodies": place(), "slider": mount(), "pin": mount(), "rod": round(random.uniform(0.05, 2), 3)}
    while case["slider"]["body"] == case["pin"]["body"]:
        case["pin"] = mount()
    cases.append(solve(case))
print("[" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "]")
