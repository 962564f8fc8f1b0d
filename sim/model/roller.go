package model

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// addRollers gives the wheels of mecanum drives friction along the axes of their rollers only. A direction in
// a frame that does not turn with the wheel (SDF's fdir1 with expressed_in) replaces the 45° of the drive.
func (c *compiler) addRollers() {
	for i := range c.Spec.Drives {
		d := &c.Spec.Drives[i]
		if d.Kind != scene.Mecanum || !c.DriveEnabled[i] || len(d.Left) != 2 || len(d.Right) != 2 {
			continue
		}
		inferred := false
		for side, wheels := range [2][]int{d.Left, d.Right} {
			for k, j := range wheels {
				skew := math.Pi / 4
				if side == k {
					skew = -skew
				}
				inferred = c.addRoller(j, skew) || inferred
			}
		}
		if inferred {
			c.note(scene.Inferred, "drive %d: the wheels of a mecanum drive get rollers at 45°", i)
		}
	}
}

// removeDrivenFriction removes the friction of models that a kinematic drive moves: the ground must not hold
// them back.
func (c *compiler) removeDrivenFriction() {
	for i := range c.Spec.Drives {
		if !c.Spec.Drives[i].Kinematic || !c.DriveEnabled[i] {
			continue
		}
		for b := range c.Bodies {
			for k := range c.Bodies[b].Geoms {
				m := &c.Bodies[b].Geoms[k].Def.Material
				m.Friction, m.Friction2 = 0, 0
			}
		}
	}
}

// addRoller gives the shapes of a wheel an axle and the skew of its rollers, rad. It reports whether some
// shapes had no direction of their own and took the skew.
func (c *compiler) addRoller(joint int, skew float64) (inferred bool) {
	j := &c.Joints[joint]
	b := &c.Bodies[j.Child]
	axis := j.Def.ChildFrame.Rot.Rotate(j.Def.Axis)
	for k := range b.Geoms {
		g := &b.Geoms[k]
		own := skew
		if dir, ok := c.inModel(&c.Spec.Links[g.Link].Collisions[g.Collision].Surface); ok {
			a := b.Pose.Rot.Rotate(axis)
			own = r3.Atan2(dir.Dot(a), dir.Dot(a.Cross(r3.V(0, 0, 1))))
		} else {
			inferred = true
			g.Def.Material.Friction2 = 0
		}
		g.Def.Material.Direction = r3.Vec{}
		g.Def.Material.Axle = g.Def.Pose.Rot.RotateBack(axis)
		g.Def.Material.Skew = own
	}
	return inferred
}

// inModel is the friction direction of a surface in the model's frame, where the file has it in the frame of
// a link.
func (c *compiler) inModel(s *scene.Surface) (r3.Vec, bool) {
	if s.DirFrame == "" || s.FrictionDir == (r3.Vec{}) {
		return r3.Vec{}, false
	}
	for i := range c.Spec.Links {
		if l := &c.Spec.Links[i]; l.Name == s.DirFrame {
			return l.Pose.Upright().Rot.Rotate(s.FrictionDir), true
		}
	}
	return s.FrictionDir, s.DirFrame == "__model__"
}
