package conform

import (
	"math"
	"strings"

	"simdeck/ros/msgs/simif2"
)

// refusalChecks are requests that must be refused, and leave nothing.
func refusalChecks() []Check {
	const section = "Refused spawning"
	all := []struct {
		id, says, needs string
		own             bool
		change          func(*simif2.SpawnEntityRequest)
		codes           []uint8
	}{
		{"resource", "no URI and no text is NO_RESOURCE", "", false,
			func(q *simif2.SpawnEntityRequest) { q.EntityResource = simif2.Resource{} },
			[]uint8{simif2.SpawnEntityResponseNoResource}},
		{"name", "a name with spaces is NAME_INVALID", "", true,
			func(q *simif2.SpawnEntityRequest) { q.Name = "two words!" },
			[]uint8{simif2.SpawnEntityResponseNameInvalid}},
		{"no-name", "no name without renaming is NAME_INVALID", "", true,
			func(q *simif2.SpawnEntityRequest) { q.Name = "" },
			[]uint8{simif2.SpawnEntityResponseNameInvalid}},
		{"namespace", "a namespace that ROS does not allow is NAMESPACE_INVALID", "", false,
			func(q *simif2.SpawnEntityRequest) { q.EntityNamespace = "9 lives" },
			[]uint8{simif2.SpawnEntityResponseNamespaceInvalid}},
		{"format", "a format that is not among spawn_formats is UNSUPPORTED_FORMAT, or not understood",
			"SPAWNING_RESOURCE_STRING", true,
			func(q *simif2.SpawnEntityRequest) {
				q.EntityResource = simif2.Resource{ResourceString: "solid conform\nendsolid conform\n"}
			}, []uint8{simif2.SpawnEntityResponseUnsupportedFormat,
				simif2.SpawnEntityResponseResourceParseError}},
		{"syntax", "text that cannot be parsed is RESOURCE_PARSE_ERROR", "SPAWNING_RESOURCE_STRING", false,
			func(q *simif2.SpawnEntityRequest) {
				q.EntityResource = simif2.Resource{ResourceString: `<sdf version="1.9"><model name="broken"><link`}
			}, []uint8{simif2.SpawnEntityResponseResourceParseError}},
		{"assets", "a mesh that is not there is MISSING_ASSETS", "SPAWNING_RESOURCE_STRING", true,
			func(q *simif2.SpawnEntityRequest) {
				q.EntityResource = simif2.Resource{ResourceString: strings.Replace(boxSDF,
					"<box><size>0.2 0.4 0.6</size></box>",
					"<mesh><uri>model://conform_nowhere/hull.stl</uri></mesh>", 1)}
			}, []uint8{simif2.SpawnEntityResponseMissingAssets}},
		{"unknown", "a resource that is not there is NOT_FOUND", "", true,
			func(q *simif2.SpawnEntityRequest) {
				q.EntityResource = simif2.Resource{URI: "model://conform_unicorn"}
			}, []uint8{notFound}},
		{"position", "a position that is no number is INVALID_POSE", "", false,
			func(q *simif2.SpawnEntityRequest) { q.InitialPose.Pose.Position.X = math.NaN() },
			[]uint8{simif2.SpawnEntityResponseInvalidPose}},
		{"rotation", "a rotation without end is INVALID_POSE", "", false,
			func(q *simif2.SpawnEntityRequest) { q.InitialPose.Pose.Orientation.Z = math.Inf(1) },
			[]uint8{simif2.SpawnEntityResponseInvalidPose}},
		{"frame", "a frame that is not known is INVALID_POSE", "", false,
			func(q *simif2.SpawnEntityRequest) { q.InitialPose.Header.FrameID = "conform_nowhere" },
			[]uint8{simif2.SpawnEntityResponseInvalidPose}},
	}
	var checks []Check
	for _, r := range all {
		checks = append(checks, Check{ID: "refuse." + r.id, Section: section, Says: r.says, Own: r.own,
			Needs: canSpawn + " get_entities " + r.needs,
			run: func(p *Probe) {
				q := p.request()
				before := p.entities(simif2.EntityFilters{})
				r.change(q)
				s := p.spawn(q)
				p.want("spawning", "spawn_entity", s.Result, r.codes...)
				after := p.entities(simif2.EntityFilters{})
				p.that(len(after) == len(before), "what was refused left something: %d entities, before %d",
					len(after), len(before))
			}})
	}
	return checks
}
