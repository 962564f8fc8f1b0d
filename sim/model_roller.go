package sim

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// addRollers gives the wheels of mecanum drives friction along the axes of their
// rollers only. Where the file says how these lie, in a frame that does not turn
// with the wheel (SDF's fdir1 with expressed_in), that counts.
func (p *compiledModel) addRollers() {
	for i := range p.spec.Drives {
		d := &p.spec.Drives[i]
		if d.Kind != scene.Mecanum || !p.drives[i] || len(d.Left) != 2 || len(d.Right) != 2 {
			continue
		}
		inferred := false
		for side, wheels := range [2][]int{d.Left, d.Right} {
			for k, j := range wheels {
				skew := math.Pi / 4
				if side == k {
					skew = -skew
				}
				inferred = p.addRoller(j, skew) || inferred
			}
		}
		if inferred {
			p.note(scene.Inferred, "drive %d: the wheels of a mecanum drive get rollers at 45°", i)
		}
	}
}

// addSlidingFriction takes the friction off models that a kinematic drive moves: the ground
// is not to hold them back.
func (p *compiledModel) addSlidingFriction() {
	for i := range p.spec.Drives {
		if !p.spec.Drives[i].Kinematic || !p.drives[i] {
			continue
		}
		for b := range p.bodies {
			for k := range p.bodies[b].geoms {
				m := &p.bodies[b].geoms[k].def.Material
				m.Friction, m.Friction2 = 0, 0
			}
		}
	}
}

// addRoller makes the shapes of a wheel roll; it reports whether some took the skew
// for want of a direction of their own.
func (p *compiledModel) addRoller(joint int, skew float64) (inferred bool) {
	j := &p.joints[joint]
	b := &p.bodies[j.child]
	axis := j.def.ChildFrame.Rot.Rotate(j.def.Axis)
	for k := range b.geoms {
		g := &b.geoms[k]
		own := skew
		if dir, ok := p.inModel(&p.spec.Links[g.link].Collisions[g.from].Surface); ok {
			a := b.pose.Rot.Rotate(axis)
			own = r3.Atan2(dir.Dot(a), dir.Dot(a.Cross(r3.V(0, 0, 1))))
		} else {
			inferred = true
			g.def.Material.Friction2 = 0
		}
		g.def.Material.Direction = r3.Vec{}
		g.def.Material.Axle = g.def.Pose.Rot.RotateBack(axis)
		g.def.Material.Skew = own
	}
	return inferred
}

// inModel is the friction direction of a surface in the model's frame, when the
// file says it in the frame of a link.
func (p *compiledModel) inModel(s *scene.Surface) (r3.Vec, bool) {
	if s.DirFrame == "" || s.FrictionDir == (r3.Vec{}) {
		return r3.Vec{}, false
	}
	for i := range p.spec.Links {
		if l := &p.spec.Links[i]; l.Name == s.DirFrame {
			return l.Pose.Upright().Rot.Rotate(s.FrictionDir), true
		}
	}
	return s.FrictionDir, s.DirFrame == "__model__"
}
