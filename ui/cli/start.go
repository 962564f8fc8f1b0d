package cli

import (
	"os"
	"path/filepath"
	"slices"

	"simdeck/sim"
)

// Start is the state to start in.
func (o Options) Start() sim.State {
	switch {
	case o.Stopped:
		return sim.Stopped
	case o.Paused:
		return sim.Paused
	}
	return sim.Playing
}

// CommandHistory is how many commands the engine keeps so that a recording can
// begin late: those of three quarters of an hour that a robot is driven.
func (o Options) CommandHistory() int {
	if o.Recordings == "" {
		return 0
	}
	return 1 << 17
}

// Pace is the asked real-time factor in the engine's words, see
// sim.Config.RealTime.
func (o Options) Pace() float64 {
	switch {
	case o.RealTime < 0:
		return 0
	case o.RealTime == 0:
		return sim.AsFastAsPossible
	}
	return o.RealTime
}

// SearchPaths are the asked folders and those that other tools' variables
// name, each once and absolute.
func (o Options) SearchPaths() (asked, inherited []string) {
	add := func(to, dirs []string) []string {
		for _, dir := range dirs {
			abs, err := filepath.Abs(dir)
			if dir != "" && err == nil && !slices.Contains(asked, abs) && !slices.Contains(to, abs) {
				to = append(to, abs)
			}
		}
		return to
	}
	asked = add(nil, o.Path)
	for _, variable := range []string{"GZ_SIM_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "AMENT_PREFIX_PATH",
		"ROS_PACKAGE_PATH"} {
		inherited = add(inherited, filepath.SplitList(os.Getenv(variable)))
	}
	return asked, inherited
}

// noTopics in place of the topics to record has none recorded.
const noTopics = "none"

// RecordsTopics is whether recordings hold topics.
func (o Options) RecordsTopics() bool { return !slices.Equal(o.Topics, []string{noTopics}) }
