package urdf

import (
	"math"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// readControl reads a <ros2_control>: where its joints start, which of them a position controller holds
// there, and what their commands are bound by. The hardware that it names is not loaded: the engine's joints
// take positions, velocities and efforts by themselves.
func (r *robot) readControl(n *xmltree.Node) {
	for _, k := range n.All("joint") {
		i, ok := r.joints[k.Get("name")]
		if !ok {
			r.doc.Note(scene.Suspicious, k, "<ros2_control> commands joint %q, which is not there%s",
				k.Get("name"), source.NearKey(k.Get("name"), r.joints))
			continue
		}
		j := &r.spec.Joints[i]
		r.motors[j.Name] = false // this element holds, not a guess by the limits
		for _, face := range k.Kids {
			switch face.Name {
			case "command_interface":
				j.Hold = j.Hold || face.Get("name") == "position" && j.Kind != scene.Fixed && !j.Mimic.Set
				r.bound(face, j)
				r.initial(face, j)
			case "state_interface":
				r.initial(face, j)
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

// bound tightens the limits of a joint to the min and max of a command interface, as ros2_control does. Those
// of a position are its stops.
func (r *robot) bound(face *xmltree.Node, j *scene.Joint) {
	low, hasLow := r.param(face, "min")
	high, hasHigh := r.param(face, "max")
	if !hasLow || !hasHigh {
		return
	}
	if low >= high {
		r.doc.Note(scene.Suspicious, face,
			"joint %q takes commands from %g to %g; a min below the max is meant", j.Name, low, high)
		return
	}
	tighten := func(limit *float64) bool {
		most := max(-low, high)
		tighter := most > 0 && (*limit == 0 || most < *limit)
		if tighter {
			*limit = most
		}
		return tighter
	}
	switch face.Get("name") {
	case "velocity":
		if tighten(&j.Limit.Velocity) {
			j.Limit.MotorOnly = true // forces on the joint may still turn it faster
		}
	case "effort":
		tighten(&j.Limit.Effort)
	case "position":
		if l := &j.Limit; l.Set && low < l.Upper && high > l.Lower {
			l.Lower, l.Upper = max(l.Lower, low), min(l.Upper, high)
		}
	}
}

// param is the number of a <param>; false when there is none or it is no finite number, which is noted.
func (r *robot) param(face *xmltree.Node, name string) (float64, bool) {
	for _, p := range face.All("param") {
		if p.Get("name") != name {
			continue
		}
		f, err := source.ParseFloat(p.Text)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			r.doc.Note(scene.Suspicious, p, "%s is %q, which is no finite number", name, p.Value())
			return 0, false
		}
		return f, true
	}
	return 0, false
}

// initial reads the position at which a joint starts; one beyond its stops is moved to the nearer stop.
func (r *robot) initial(face *xmltree.Node, j *scene.Joint) {
	f, told := r.param(face, "initial_value")
	if !told || face.Get("name") != "position" {
		return
	}
	if j.Limit.Set && (f < j.Limit.Lower || f > j.Limit.Upper) {
		near := source.Clamp(f, j.Limit.Lower, j.Limit.Upper)
		r.doc.Note(scene.Suspicious, face,
			"joint %q starts at %g, beyond its stops at %g and %g; at %g instead", j.Name, f, j.Limit.Lower,
			j.Limit.Upper, near)
		f = near
	}
	j.Initial = f
}
