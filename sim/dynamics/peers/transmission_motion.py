"""Writes where bodies of the models in a folder are after a second, as MuJoCo has them.

Usage: python transmission_motion.py ../../engine/testdata/transmissions > .../transmissions/mujoco.json

The steps are of 10 µs, in which springs and dampers hardly err. A keyframe "home" is where a model starts.
"""
import glob
import json
import os
import sys

import mujoco

out = {}
for file in sorted(glob.glob(os.path.join(sys.argv[1], "*.xml"))):
    model = mujoco.MjModel.from_xml_path(file)
    model.opt.timestep = 1e-5
    data = mujoco.MjData(model)
    home = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, "home")
    if home >= 0:
        mujoco.mj_resetDataKeyframe(model, data, home)
    while data.time < 1 - 5e-6:
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    out[os.path.basename(file)[:-4]] = {
        mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, i):
            [round(float(x), 7) for x in [*data.xpos[i], *data.xquat[i]]] for i in range(1, model.nbody)}
print(json.dumps(out, indent=1))
