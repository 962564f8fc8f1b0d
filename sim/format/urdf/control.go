package urdf

import (
	"math"

	"simdeck/sim/asset/markup"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// control reads a <ros2_control>: where its joints start, and which of them a position controller holds there. The
// hardware that it names is not loaded: the engine's joints take positions, velocities and efforts by themselves.
func (r *robot) control(n *markup.Node) {
	for _, k := range n.All("joint") {
		i, ok := r.joints[k.Get("name")]
		if !ok {
			r.doc.Note(scene.Suspicious, k, "<ros2_control> commands joint %q, which is not there", k.Get("name"))
			continue
		}
		j := &r.spec.Joints[i]
		r.motors[j.Name] = false // what is said here holds, and not what its limits suggest
		for _, face := range k.Kids {
			if face.Name != "command_interface" && face.Name != "state_interface" || face.Get("name") != "position" {
				continue
			}
			if face.Name == "command_interface" && j.Kind != scene.Fixed && !j.Mimic.Set {
				j.Hold = true
			}
			for _, p := range face.All("param") {
				if p.Get("name") == "initial_value" {
					r.initial(p, j)
				}
			}
		}
	}
	for _, k := range n.Kids {
		switch k.Name {
		case "joint", "hardware":
		default:
			r.doc.Note(scene.Unsupported, k, "<%s> in <ros2_control> is not run", k.Name)
		}
	}
	r.doc.Note(scene.Inferred, n, "the hardware of <ros2_control> is not loaded; the engine's joints take the commands")
}

// initial reads the position at which a joint starts; one beyond its stops is moved to the nearer stop.
func (r *robot) initial(p *markup.Node, j *scene.Joint) {
	f, err := source.ParseFloat(p.Text)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		r.doc.Note(scene.Suspicious, p, "joint %q starts at %q, which is no finite number", j.Name, p.Value())
		return
	}
	if j.Limit.Set && (f < j.Limit.Lower || f > j.Limit.Upper) {
		near := max(j.Limit.Lower, min(j.Limit.Upper, f))
		r.doc.Note(scene.Suspicious, p, "joint %q starts at %g, beyond its stops at %g and %g; at %g instead", j.Name, f, j.Limit.Lower, j.Limit.Upper, near)
		f = near
	}
	j.Initial = f
}
