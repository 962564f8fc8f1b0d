package node

import (
	"time"

	"simdeck/ros/rtps"
)

// QoS is the quality of service of a publisher, subscription or service.
type QoS = rtps.QoS

// DefaultQoS is rmw_qos_profile_default: reliable, volatile, the last 10.
func DefaultQoS() QoS { return QoS{Reliability: rtps.Reliable, Depth: 10} }

// BurstQoS is DefaultQoS with room for so many messages. It is for bursts, as of steps as fast as possible,
// that must still reach each listener reliably.
func BurstQoS(depth int) QoS { return QoS{Reliability: rtps.Reliable, Depth: depth} }

// ServiceQoS is rmw_qos_profile_services_default: reliable, volatile, 10.
func ServiceQoS() QoS { return QoS{Reliability: rtps.Reliable, Depth: 10} }

// SensorQoS is rmw_qos_profile_sensor_data: best effort, volatile, 5.
func SensorQoS() QoS { return QoS{Reliability: rtps.BestEffort, Depth: 5} }

// ParameterQoS is rmw_qos_profile_parameters: reliable, volatile, 1000.
func ParameterQoS() QoS { return QoS{Reliability: rtps.Reliable, Depth: 1000} }

// ParameterEventsQoS is rmw_qos_profile_parameter_events: reliable, volatile, 1000.
func ParameterEventsQoS() QoS { return QoS{Reliability: rtps.Reliable, Depth: 1000} }

// RosoutQoS is rcl_qos_profile_rosout_default: reliable, transient local,
// 1000, and a line lives 10 s.
func RosoutQoS() QoS {
	return QoS{Reliability: rtps.Reliable, Durability: rtps.TransientLocal, Depth: 1000,
		Lifespan: 10 * time.Second}
}

// ClockQoS is rclcpp::ClockQoS, of readers of /clock: best effort, 1.
func ClockQoS() QoS { return QoS{Reliability: rtps.BestEffort, Depth: 1} }

// TFQoS is tf2_ros::DynamicBroadcasterQoS: reliable, volatile, 100.
func TFQoS() QoS { return QoS{Reliability: rtps.Reliable, Depth: 100} }

// LatchedQoS is tf2_ros::StaticBroadcasterQoS, and what maps and robot
// descriptions are published with: reliable, transient local, 1.
func LatchedQoS() QoS {
	return QoS{Reliability: rtps.Reliable, Durability: rtps.TransientLocal, Depth: 1}
}
