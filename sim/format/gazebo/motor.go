package gazebo

import (
	"math"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// motors reads the initial commands of Gazebo's plugins that command joints. The joint controller turns its
// joint at <initial_velocity>. The joint position and joint trajectory controllers hold their joints at
// <initial_position>, where they also begin, or at zero when a gain pulls them there. Without these elements
// the joints are free. <cmd_max> bounds their effort or speed, <topic> is the topic of their commands,
// numbers. Joint names are looked up behind prefix in joints, which indexes spec.Joints.
func motors(d *source.Doc, n *xmltree.Node, spec *scene.ModelSpec, joints map[string]int, prefix string) {
	kind := ""
	for _, word := range []string{"jointpositioncontroller", "jointtrajectorycontroller", "jointcontroller"} {
		if kind == "" && strings.Contains(plain(n), word) {
			kind = word
		}
	}
	if kind == "" {
		return
	}
	m := &motor{d: d, n: n}
	listen := scene.Listen{Velocity: kind == "jointcontroller"}
	if listen.Topic = n.ValueOf("topic"); listen.Topic == "" {
		listen.Topic = n.ValueOf("sub_topic")
	}
	for i, name := range n.All("joint_name") {
		at, ok := joints[prefix+name.Value()]
		if !ok {
			d.Note(scene.Suspicious, name, "there is no joint %q%s", name.Value(),
				source.NearKey(prefix+name.Value(), joints))
			continue
		}
		j := &spec.Joints[at]
		if listen.Topic != "" && kind != "jointtrajectorycontroller" {
			j.Listen = listen
		}
		switch kind {
		case "jointcontroller":
			if f, _, ok := m.number("initial_velocity", 0); ok {
				j.Speed = f
			}
			m.bound(&j.Limit.Effort)
		case "jointpositioncontroller":
			m.hold(j, 0, "p_gain")
			if d.Bool(n, "use_velocity_commands", false) {
				m.bound(&j.Limit.Velocity)
				j.Limit.MotorOnly = true
			} else {
				m.bound(&j.Limit.Effort)
			}
		default:
			m.hold(j, i, "position_p_gain")
		}
	}
	if listen.Topic != "" && kind == "jointtrajectorycontroller" {
		d.Note(scene.Inferred, n, "topic %q is not offered; trajectories arrive on the topics of ros2_control",
			listen.Topic)
	}
}

// motor reads the parameters of a plugin that commands joints.
type motor struct {
	d *source.Doc
	n *xmltree.Node
}

// number is the i-th element of a name; false when there is none or it is no finite number, which is noted.
func (m *motor) number(name string, i int) (float64, *xmltree.Node, bool) {
	all := m.n.All(name)
	if i >= len(all) {
		return 0, nil, false
	}
	f, err := source.ParseFloat(all[i].Text)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		m.d.Note(scene.Suspicious, all[i], "<%s> is %q; want a finite number", name, all[i].Value())
		return 0, nil, false
	}
	return f, all[i], true
}

// hold keeps a joint at the i-th <initial_position>, or at zero when its gain is not.
func (m *motor) hold(j *scene.Joint, i int, gain string) {
	f, k, told := m.number("initial_position", i)
	if !told {
		p, by, pulls := m.number(gain, i)
		if k = by; !pulls || !(p > 0) {
			return
		}
	}
	j.Hold, j.Initial = true, f
	if j.Limit.Set && (f < j.Limit.Lower || f > j.Limit.Upper) {
		j.Initial = source.Clamp(f, j.Limit.Lower, j.Limit.Upper)
		m.d.Note(scene.Suspicious, k, "joint %q is held at %g, beyond its stops at %g and %g; at %g instead",
			j.Name, f, j.Limit.Lower, j.Limit.Upper, j.Initial)
	}
}

// bound lowers a limit to what <cmd_max> allows.
func (m *motor) bound(limit *float64) {
	if f, _, ok := m.number("cmd_max", 0); ok && f > 0 && (*limit == 0 || f < *limit) {
		*limit = f
	}
}
