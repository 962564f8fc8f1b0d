"""A bladder that a real ROS 2 fills and drains, as through ros_gz_bridge from Gazebo's BuoyancyEngine."""

import pathlib

from std_msgs.msg import Float64

WORLD = str(pathlib.Path(__file__).parent / "testdata" / "glider.sdf")


def test_a_glider_rises_and_sinks_by_the_volume_that_it_is_told(start):
    simdeck = start(WORLD)
    ros = simdeck.client("ballast")
    volume = ros.listen(Float64, "/model/tethys/buoyancy_engine/current_volume")
    ros.until(lambda: volume.last and volume.last.data == 0.002, "the neutral volume")

    def height():
        return ros.state("glider").pose.position.z

    assert abs(height() + 5) < 1e-6, "it hovers"
    told = ros.publisher(Float64, "/model/tethys/buoyancy_engine")
    told.publish(Float64(data=0.0025))
    ros.until(lambda: volume.last.data == 0.0025, "the bladder to be filled")
    ros.until(lambda: height() > -4.9, "the glider to rise")
    told.publish(Float64(data=float("nan")))  # is refused
    told.publish(Float64(data=-1.0))
    ros.until(lambda: volume.last.data == 0.0, "the bladder to be drained to its least volume")
    ros.until(lambda: height() < -5, "the glider to sink")
    ros.close()
    simdeck.quit()
