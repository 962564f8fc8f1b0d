package urdf

import "simdeck/sim/scene"

// hold lets the motors of a robot hold their joints until they are commanded, as brakes and controllers do.
// URDF does not say which joints have a motor; a limit of effort or speed implies one. Joints that turn
// without end do so only in an arm, where others of their chain do; as wheels they roll. Springs, followers
// and what a drive turns are left alone.
func (r *robot) hold() {
	joints := r.spec.Joints
	above := make([]int, len(r.spec.Links)) // the joint above a link, from 1
	for i := range joints {
		above[joints[i].Child] = i + 1
	}
	driven := r.driven()
	arm := make([]bool, len(joints)) // holds, or has a joint that holds above or below
	for i := range joints {
		j := &joints[i]
		room := !j.Limit.Set || j.Limit.Upper > j.Limit.Lower // else it has nowhere to go
		motor := room && r.motors[j.Name] && !j.Mimic.Set && j.Stiffness == 0 && !driven[i]
		if !motor || j.Kind != scene.Revolute && j.Kind != scene.Prismatic {
			continue
		}
		j.Hold = true
		for at, steps := i, 0; j.Kind == scene.Revolute && !arm[at] && steps < len(joints); steps++ {
			arm[at] = true
			if parent := joints[at].Parent; parent != scene.World && above[parent] > 0 {
				at = above[parent] - 1
			}
		}
	}
	for i := range joints {
		j := &joints[i]
		if j.Kind == scene.Continuous && r.motors[j.Name] && !j.Mimic.Set && j.Stiffness == 0 && !driven[i] &&
			(arm[i] || r.after(above, i)) {
			j.Hold = true
		}
	}
}

// after reports that a joint that holds and turns is above another in its chain.
func (r *robot) after(above []int, joint int) bool {
	joints := r.spec.Joints
	for range joints {
		parent := joints[joint].Parent
		if parent == scene.World || above[parent] == 0 {
			return false
		}
		joint = above[parent] - 1
		if joints[joint].Hold && joints[joint].Kind == scene.Revolute {
			return true
		}
	}
	return false
}

// driven says which joints a drive turns or steers.
func (r *robot) driven() []bool {
	out := make([]bool, len(r.spec.Joints))
	for i := range r.spec.Drives {
		for _, j := range r.spec.Drives[i].Joints() {
			if j >= 0 && j < len(out) {
				out[j] = true
			}
		}
	}
	return out
}
