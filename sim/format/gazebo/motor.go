package gazebo

import (
	"math"
	"strings"

	"simdeck/sim/asset/markup"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// Motors reads what the plugins of Gazebo that command joints do before anybody commands them: the joint controller
// turns its joint at <initial_velocity>, the joint position controller holds its joints at <initial_position>, where
// they also begin. Without these elements the joints are free. Joint names are looked up behind prefix in joints, which
// indexes spec.Joints.
func Motors(d *source.Doc, n *markup.Node, spec *scene.ModelSpec, joints map[string]int, prefix string) {
	word := strings.NewReplacer("_", "", "-", "", ":", "").Replace(strings.ToLower(n.Get("filename") + " " + n.Get("name")))
	key := ""
	switch {
	case strings.Contains(word, "jointpositioncontroller"):
		key = "initial_position"
	case strings.Contains(word, "jointcontroller"):
		key = "initial_velocity"
	}
	k := n.Child(key)
	if key == "" || k == nil {
		return
	}
	f, err := source.ParseFloat(k.Text)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		d.Note(scene.Suspicious, k, "<%s> is %q; a finite number is right", key, k.Value())
		return
	}
	for _, name := range n.All("joint_name") {
		i, ok := joints[prefix+name.Value()]
		if !ok {
			d.Note(scene.Suspicious, name, "there is no joint %q", name.Value())
			continue
		}
		j := &spec.Joints[i]
		if key == "initial_velocity" {
			j.Speed = f
			continue
		}
		j.Hold, j.Initial = true, f
		if j.Limit.Set && (f < j.Limit.Lower || f > j.Limit.Upper) {
			j.Initial = max(j.Limit.Lower, min(j.Limit.Upper, f))
			d.Note(scene.Suspicious, k, "joint %q is held at %g, beyond its stops at %g and %g; at %g instead", j.Name, f, j.Limit.Lower, j.Limit.Upper, j.Initial)
		}
	}
}
