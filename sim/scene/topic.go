package scene

import "strings"

// maxTopic is the most bytes of a topic that a file names. ROS allows 245 with the robot's namespace.
const maxTopic = 150

// LegalTopic makes a name of Gazebo legal in ROS, and visible to tools, which hide what begins with _. A name
// below ~ is the robot's own. It is empty when nothing is left; the sensor then has the usual topic.
func LegalTopic(name string) string {
	if len(name) > maxTopic {
		name = name[:maxTopic]
	}
	var parts []string
	for part := range strings.SplitSeq(name, "/") {
		legal := strings.Map(func(r rune) rune {
			if r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
				return r
			}
			return '_'
		}, part)
		if !strings.HasPrefix(part, "_") {
			legal = strings.TrimLeft(legal, "_")
		}
		if legal == "" {
			continue
		}
		if legal[0] >= '0' && legal[0] <= '9' {
			legal = "n" + legal
		}
		parts = append(parts, legal)
	}
	legal := strings.Join(parts, "/")
	if strings.HasPrefix(name, "/") && legal != "" {
		legal = "/" + legal
	}
	return legal
}
