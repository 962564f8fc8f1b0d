"""A controller as users write them, which knows nothing of lockstep: it steers a robot by its scans or by the pictures of its camera.

    lockstep_controller.py ROBOT scan|camera    in the domain of ROS_DOMAIN_ID, until it is ended
"""

import math
import random
import sys
import time

import rclpy
from geometry_msgs.msg import Twist
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image, LaserScan


class Controller(Node):
    def __init__(self, robot, eye):
        super().__init__("controller")
        self.commands = self.create_publisher(Twist, f"/{robot}/cmd_vel", 10)
        if eye == "scan":
            self.create_subscription(LaserScan, f"/{robot}/scan", self.scanned, qos_profile_sensor_data)
        else:
            self.create_subscription(Image, f"/{robot}/camera/image_raw", self.seen, qos_profile_sensor_data)

    def scanned(self, scan):
        ranges = [min(r, scan.range_max) for r in scan.ranges]
        ahead, third = ranges[len(ranges) // 2], len(ranges) // 3
        self.drive(0.4 * math.tanh(ahead - 0.6), math.tanh(sum(ranges[-third:]) / third - sum(ranges[:third]) / third))

    def seen(self, image):
        half = len(image.data) // 2
        self.drive(0.3, (sum(image.data[:half:97]) - sum(image.data[half::97])) / (half * 2.0))

    def drive(self, speed, turn):
        time.sleep(random.choice([0, 0, 0.002, 0.02]))  # thinks for as long as it takes
        command = Twist()
        command.linear.x, command.angular.z = speed, turn
        self.commands.publish(command)


if __name__ == "__main__":
    rclpy.init()
    try:
        rclpy.spin(Controller(*sys.argv[1:3]))
    except (KeyboardInterrupt, rclpy.executors.ExternalShutdownException):
        pass
