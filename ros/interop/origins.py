"""Robots and worlds of the tests: our own in testdata/, and beside them real ones where there is a corpus (SIMDECK_CORPUS)."""

import dataclasses
import os
import pathlib

HERE = pathlib.Path(__file__).parent / "testdata"
CORPUS = pathlib.Path(os.environ["SIMDECK_CORPUS"]).resolve()


@dataclasses.dataclass(frozen=True)
class Arm:
    """An arm with six axes: its URI, its joints from the base on, and two poses in rad that it can hold."""

    uri: str
    joints: tuple
    up: tuple
    reach: tuple


@dataclasses.dataclass(frozen=True)
class Origin:
    """Where robots and worlds come from, as a user has them: folders of models and of ROS packages, and what is in them."""

    models: pathlib.Path  # a folder of the search path of model://
    packages: tuple  # folders of the search path of package://
    sdf: str  # a two-wheeled robot with a scanner, whose model is called as its folder
    urdf: str  # a two-wheeled robot; one mesh, for looks only, is not there
    mesh: str  # a mesh, which is no model
    world: pathlib.Path  # a world with includes of models
    entities: frozenset  # some that are in it
    arm: Arm

    @property
    def model(self):
        """The name of the two-wheeled robot."""
        return self.sdf.removeprefix("model://")

    @property
    def path(self):
        """The file of the two-wheeled robot."""
        return self.models / self.model / "model.sdf"


ORIGINS = {
    "own": Origin(
        models=HERE / "models",
        packages=(HERE / "share",),
        sdf="model://two_wheeler",
        urdf="package://two_wheeler_description/urdf/two_wheeler.urdf",
        mesh="model://two_wheeler_parts/meshes/scanner.dae",
        world=HERE / "worlds/yard.world",
        entities=frozenset({"court", "guest"}),
        arm=Arm(
            uri="package://six_axis_arm_description/urdf/six_axis_arm.urdf",
            joints=("waist", "shoulder", "elbow", "forearm_roll", "wrist_pitch", "flange_roll"),
            up=(0.0, -0.2, 0.4, 0.0, -0.2, 0.0),
            reach=(0.5, 0.6, 1.2, -0.4, 0.7, 0.3),
        ),
    )
}
if CORPUS.is_dir():
    ORIGINS["corpus"] = Origin(
        models=CORPUS / "sdf/turtlebot3_world/models",
        packages=(CORPUS / "urdf/turtlebot3_burger/pkgs", CORPUS / "urdf/ur5e/pkgs"),
        sdf="model://turtlebot3_burger",
        urdf="package://turtlebot3_description/urdf/turtlebot3_burger.urdf",
        mesh="model://turtlebot3_common/meshes/lds.dae",
        world=CORPUS / "sdf/turtlebot3_world/worlds/turtlebot3_world.world",
        entities=frozenset({"turtlebot3_world"}),
        arm=Arm(
            uri="package://ur_description/urdf/ur5e.urdf",
            joints=("shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"),
            up=(0.0, -1.57, 0.0, -1.57, 0.0, 0.0),
            reach=(0.4, -1.2, 1.5, -0.8, 0.7, 0.3),
        ),
    )
elif os.environ.get("SIMDECK_CORPUS_REQUIRED") == "1":
    raise FileNotFoundError(f"the corpus is required and {CORPUS} is not there")
MODEL_PATH = ":".join(str(o.models) for o in ORIGINS.values())
PACKAGE_PATH = ":".join(str(folder) for o in ORIGINS.values() for folder in o.packages)
