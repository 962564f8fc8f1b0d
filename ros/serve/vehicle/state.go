package vehicle

import (
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

func header(t time.Duration) stdmsgs.Header {
	return stdmsgs.Header{Stamp: node.SimTime(t), FrameID: mapFrame}
}

// vehicleState is the dashboard of a car.
func vehicleState(o *sim.Odometry) *gssimmsgs.VehicleState {
	c := o.Car
	return &gssimmsgs.VehicleState{
		Header: header(o.Time), Pose: geometry.Pose(c.Pose), Twist: geometry.Twist(c.Twist),
		Accel: geometrymsgs.Accel{Linear: geometry.Vector3(c.Accel.Linear),
			Angular: geometry.Vector3(c.Accel.Angular)},
		SteeringAngle: float32(c.Steer), SteeringAngleRate: float32(c.SteerRate), Gear: uint8(c.Gear),
		WheelSpeedFl: float32(c.Wheels[0]), WheelSpeedFr: float32(c.Wheels[1]),
		WheelSpeedRl: float32(c.Wheels[2]), WheelSpeedRr: float32(c.Wheels[3]),
	}
}
