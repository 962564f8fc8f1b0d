package bag

import (
	"time"

	"go.yaml.in/yaml/v3"

	"simdeck/ros/node"
	"simdeck/ros/rtps"
)

// metadataVersion is that of the folder's format (rosbag2_storage/bag_metadata.hpp of Jazzy), and distro
// where it is from.
const (
	metadataVersion = 9
	distro          = "jazzy"
)

// metadata is metadata.yaml as rosbag2 writes it (rosbag2_storage/yaml.hpp).
type metadata struct {
	Version     int               `yaml:"version"`
	Storage     string            `yaml:"storage_identifier"`
	Duration    nanoseconds       `yaml:"duration"`
	Start       sinceEpoch        `yaml:"starting_time"`
	Messages    uint64            `yaml:"message_count"`
	Topics      []topicCount      `yaml:"topics_with_message_count"`
	Compression string            `yaml:"compression_format"`
	Mode        string            `yaml:"compression_mode"`
	Paths       []string          `yaml:"relative_file_paths"`
	Files       []fileInformation `yaml:"files"`
	Custom      map[string]string `yaml:"custom_data"`
	Distro      string            `yaml:"ros_distro"`
}

type nanoseconds struct {
	N uint64 `yaml:"nanoseconds"`
}

type sinceEpoch struct {
	N uint64 `yaml:"nanoseconds_since_epoch"`
}

type topicCount struct {
	Topic    topicMetadata `yaml:"topic_metadata"`
	Messages uint64        `yaml:"message_count"`
}

type topicMetadata struct {
	Name   string       `yaml:"name"`
	Type   string       `yaml:"type"`
	Format string       `yaml:"serialization_format"`
	QoS    []qosProfile `yaml:"offered_qos_profiles"`
	Hash   string       `yaml:"type_description_hash"`
}

type fileInformation struct {
	Path     string      `yaml:"path"`
	Start    sinceEpoch  `yaml:"starting_time"`
	Duration nanoseconds `yaml:"duration"`
	Messages uint64      `yaml:"message_count"`
}

// qosProfile is an rmw_qos_profile_t.
type qosProfile struct {
	History     string   `yaml:"history"`
	Depth       int      `yaml:"depth"`
	Reliability string   `yaml:"reliability"`
	Durability  string   `yaml:"durability"`
	Deadline    duration `yaml:"deadline"`
	Lifespan    duration `yaml:"lifespan"`
	Liveliness  string   `yaml:"liveliness"`
	Lease       duration `yaml:"liveliness_lease_duration"`
	Avoid       bool     `yaml:"avoid_ros_namespace_conventions"`
}

type duration struct {
	Sec  uint64 `yaml:"sec"`
	Nsec uint64 `yaml:"nsec"`
}

// infinite is RMW_DURATION_INFINITE.
var infinite = duration{9223372036, 854775807}

func durationOf(d time.Duration) duration {
	if d == 0 {
		return infinite
	}
	return duration{uint64(d / time.Second), uint64(d % time.Second)}
}

// profiles are qualities of service in the words of rmw.
func profiles(all []node.QoS) []qosProfile {
	list := []qosProfile{}
	for _, q := range all {
		p := qosProfile{History: "keep_last", Depth: q.Depth, Reliability: "best_effort",
			Durability: "volatile", Liveliness: "automatic",
			Deadline: durationOf(q.Deadline), Lifespan: durationOf(q.Lifespan),
			Lease: durationOf(q.LivelinessLease)}
		if q.Depth == 0 {
			p.History = "unknown" // all; and discovery does not tell of others
		}
		if q.Reliability == rtps.Reliable {
			p.Reliability = "reliable"
		}
		if q.Durability != rtps.Volatile {
			p.Durability = "transient_local"
		}
		if q.Liveliness == rtps.ManualByTopic {
			p.Liveliness = "manual_by_topic"
		}
		list = append(list, p)
	}
	return list
}

// yamlOf is a value as YAML; what is written here always can be.
func yamlOf(v any) string {
	text, err := yaml.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// folderYAML is the text of metadata.yaml.
func folderYAML(m metadata) string {
	return yamlOf(map[string]metadata{"rosbag2_bagfile_information": m})
}
