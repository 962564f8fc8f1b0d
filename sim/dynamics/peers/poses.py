"""Writes where the bodies of all models in a folder and below are after a second, as MuJoCo has them.

Usage: python poses.py FOLDER [SECONDS] > poses.json

Nothing is commanded. A model starts from its keyframe "home", or else as it is written. It is run with its
own step ("own"), with a tenth of it ("fine"), and with its own from velocities that differ by a millionth
("shaken"). The last two tell how sure MuJoCo is of the first. Each file has a process of its own: some of
MuJoCo's tests are files that end a program.
"""
import json
import multiprocessing
import os
import resource
import sys

import mujoco
import numpy

SLOW = 60  # s of processor time, after which a file's process ends


def run(model, seconds, step, shake):
    model.opt.timestep = step
    data = mujoco.MjData(model)
    home = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, "home")
    if home >= 0:
        mujoco.mj_resetDataKeyframe(model, data, home)
    if shake:
        data.qvel += 1e-6 * numpy.random.default_rng(1).standard_normal(model.nv)
    mujoco.mj_kinematics(model, data)
    start = poses(model, data)
    for _ in range(round(seconds / step)):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    return start, poses(model, data), int(data.warning.number.sum())


def name(model, i):
    return mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, i) or "body_%d" % i


def poses(model, data):
    return {name(model, i): [round(float(x), 7) for x in [*data.xpos[i], *data.xquat[i]]]
            for i in range(1, model.nbody)}


def one(file, seconds, pipe):
    resource.setrlimit(resource.RLIMIT_CPU, (SLOW, SLOW))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        model = mujoco.MjModel.from_xml_path(file)
    except Exception as e:  # what MuJoCo refuses
        pipe.send({"refused": str(e).splitlines()[0][:200]})
        return
    step = model.opt.timestep
    out = {"step": step, "flex": model.nflex, "plugins": model.nplugin}
    out["start"], out["own"], out["warnings"] = run(model, seconds, step, False)
    pipe.send(out)
    out["shaken"] = run(model, seconds, step, True)[1]
    pipe.send(out)
    out["fine"] = run(model, seconds, step / 10, False)[1]
    pipe.send(out)


def main(folder, seconds):
    files = sorted(os.path.join(at, f) for at, _, names in os.walk(folder) for f in names if f.endswith(".xml"))
    all_files = {}
    for file in files:
        here, there = multiprocessing.Pipe(False)
        child = multiprocessing.Process(target=one, args=(file, seconds, there))
        child.start()
        there.close()
        result = {"refused": "it ends the program"}
        try:
            while True:
                result = here.recv()
        except EOFError:
            pass
        child.join()
        all_files[os.path.relpath(file, folder)] = result
    # a line a file
    print("{" + ",\n".join(json.dumps(k) + ": " + json.dumps(v) for k, v in all_files.items()) + "}")


if __name__ == "__main__":
    folder, seconds = os.path.abspath(sys.argv[1]), float((sys.argv + ["1"])[2])
    os.chdir(os.environ.get("TMPDIR", "/tmp"))  # for MuJoCo's log
    main(folder, seconds)
