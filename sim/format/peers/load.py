"""Loads what TestLoadTimesBesideOtherTools wrote, with other tools: load.py FOLDER prints a line "what tool milliseconds
hulls volume" for each, the best of some runs, in time of the processor; a tool that is not there or fails says so on stderr."""

import os
import sys
import time

folder = sys.argv[1]
os.environ["OMP_NUM_THREADS"] = "1"


def path(name):
    return os.path.join(folder, name)


def best(runs, work):
    least = None
    for _ in range(runs):
        start = time.process_time()
        got = work()
        took = 1000 * (time.process_time() - start)
        if least is None or took < least:
            least = took
    return least, got


def measure(what, tool, runs, work):
    try:
        took, got = best(runs, work)
    except Exception as e:  # a tool that fails is left out, and said
        print(f"{what} {tool}: {type(e).__name__}: {str(e)[:200]}", file=sys.stderr)
        return
    hulls, volume = got if got else (0, 0)
    print(what, tool, f"{took:.3f}", hulls, f"{volume:.9f}", flush=True)


def mesh_trimesh():
    m = trimesh.load(path("ring.stl"))
    m.convex_hull
    m.triangles_tree


def robot_yourdfpy():
    yourdfpy.URDF.load(path("robot.urdf"), load_collision_meshes=True)


def compile_mujoco(name):
    return lambda: mujoco.MjModel.from_xml_path(path(name)) and None


def cut_coacd(name):
    def work():
        m = trimesh.load(path(name))
        parts = coacd.run_coacd(coacd.Mesh(m.vertices, m.faces), max_convex_hull=12, threshold=0.05)
        hulls = [trimesh.PointCloud(v).convex_hull for v, f in parts]
        return len(hulls), sum(h.volume for h in hulls)

    return work


def cut_vhacd(name):
    def work():
        m = trimesh.load(path(name))
        parts = vhacdx.compute_vhacd(m.vertices, faces4(m.faces), maxConvexHulls=12, maxNumVerticesPerCH=48, resolution=40000, asyncACD=False)
        hulls = [trimesh.PointCloud(v).convex_hull for v, f in parts]
        return len(hulls), sum(h.volume for h in hulls)

    return work


def faces4(faces):
    return numpy.hstack([numpy.full((len(faces), 1), 3), faces]).ravel().astype(numpy.uint32)


import numpy
import trimesh

measure("mesh", "trimesh", 3, mesh_trimesh)
try:
    import mujoco

    for what, name in [("mesh", "ring.xml"), ("world", "world.xml"), ("robot", "robot.urdf")]:
        measure(what, "mujoco", 1, compile_mujoco(name))
        measure(what, "mujoco-cached", 3, compile_mujoco(name))  # it keeps compiled meshes in memory
except ImportError as e:
    print(e, file=sys.stderr)
try:
    import yourdfpy

    measure("robot", "yourdfpy", 3, robot_yourdfpy)
except ImportError as e:
    print(e, file=sys.stderr)
for shape in ["ring", "frame", "cup"]:
    try:
        import vhacdx

        measure(shape, "vhacd", 1, cut_vhacd("cut_" + shape + ".stl"))
    except ImportError as e:
        print(e, file=sys.stderr)
    try:
        import coacd

        coacd.set_log_level("error")
        measure(shape, "coacd", 1, cut_coacd("cut_" + shape + ".stl"))
    except ImportError as e:
        print(e, file=sys.stderr)
