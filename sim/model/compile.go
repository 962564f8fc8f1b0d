package model

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
	"simdeck/sim/shape"
)

// compiler makes a Model in stages, and holds what only they need.
type compiler struct {
	*Model
	linkMasses []shape.Mass // by ModelSpec.Links, in the link's frame
	hulls      map[hullKey]*hullJob
	collisions map[bodyCollision][]int // collision shapes, by dynamics.GeomDef.User; nil: not indexed yet
}

// outline checks a description and finds its bodies, without shapes. Its errors are those of Compile.
func outline(s Source) (*compiler, error) {
	c := &compiler{Model: &Model{Spec: s.Spec, Static: s.Static || s.Spec.Static}}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("model %q: %w", s.Spec.Name, err)
	}
	if err := c.computeMasses(); err != nil {
		return nil, fmt.Errorf("model %q: %w", s.Spec.Name, err)
	}
	c.fuseRotors()
	for i := range c.Spec.Links {
		if c.Spec.Links[i].Track != nil {
			c.Tracks = append(c.Tracks, i)
		}
	}
	c.mergeFixed()
	return c, nil
}

// complete makes the whole model of an outline whose meshes are decomposed.
func (c *compiler) complete() *Model {
	c.fillMass()
	c.addMasses()
	c.buildJoints()
	c.collectNoCollision()
	c.buildSpanningTree()
	c.settleJoints()
	c.selectArticulations()
	c.findLongestLoop()
	c.buildTransmissions()
	c.immerse()
	c.addSensors()
	c.visuals = render.Visuals(c.Spec)
	c.computeBounds()
	return c.Model
}

// check refuses descriptions with indices out of range, or numbers that are not finite.
func (c *compiler) check() error {
	s := c.Spec
	if len(s.Links) == 0 {
		return fmt.Errorf("%w: it has no link", scene.ErrParse)
	}
	if s.Canonical < 0 || s.Canonical >= len(s.Links) {
		return fmt.Errorf("%w: canonical link %d of %d links", scene.ErrParse, s.Canonical, len(s.Links))
	}
	for i := range s.Links {
		if l := &s.Links[i]; !usable(l.Pose) || !usable(l.Inertial.Pose) {
			return fmt.Errorf("%w: link %q: pose %v or that of its inertial has no finite numbers or no rotation",
				scene.ErrParse, l.Name, l.Pose)
		} else if l.Pose.Pos.MaxAbs() > MaxDistance {
			return fmt.Errorf("%w: link %q: its position %v in the model is more than %g m away",
				scene.ErrParse, l.Name, l.Pose.Pos, MaxDistance)
		} else if t := l.Twist; !t.IsFinite() || max(t.Linear.MaxAbs(), t.Angular.MaxAbs()) > MaxSpeed {
			return fmt.Errorf("%w: link %q moves with %v at the start; want at most %g m/s and rad/s",
				scene.ErrParse, l.Name, t, float64(MaxSpeed))
		}
	}
	for _, pair := range s.Apart {
		if min(pair[0], pair[1]) < 0 || max(pair[0], pair[1]) >= len(s.Links) {
			return fmt.Errorf("%w: links %d and %d of %d are kept apart", scene.ErrParse, pair[0], pair[1],
				len(s.Links))
		}
	}
	for i := range s.Joints {
		j := &s.Joints[i]
		if j.Parent < scene.World || j.Parent >= len(s.Links) || j.Child < 0 || j.Child >= len(s.Links) ||
			j.Parent == j.Child {
			return fmt.Errorf("%w: joint %q ties link %d to %d of %d links", scene.ErrParse, j.Name, j.Child,
				j.Parent, len(s.Links))
		}
		if !usable(j.Pose) || !j.Axis.IsFinite() || j.PullsTogether() && !usable(j.ParentPose) {
			return fmt.Errorf("%w: joint %q: pose %v or axis %v is not finite", scene.ErrParse, j.Name,
				j.Pose, j.Axis)
		}
		if !(math.Abs(j.Initial) <= MaxDistance) || j.Pose.Pos.MaxAbs() > MaxDistance {
			return fmt.Errorf("%w: joint %q: it begins at %g, and its frame is at %v; want at most %g m or rad",
				scene.ErrParse, j.Name, j.Initial, j.Pose.Pos, MaxDistance)
		}
	}
	return nil
}

// note adds a diagnostic about the description.
func (c *compiler) note(kind scene.NoteKind, format string, args ...any) {
	c.Notes = append(c.Notes, scene.Note{Kind: kind, File: c.Spec.Source, Text: fmt.Sprintf(format, args...)})
}

// addSensors prepares sensors and drives.
func (c *compiler) addSensors() {
	s := c.Spec
	budget := sensorBudget{rays: sensor.MaxRays, pixels: render.MostPixels}
	for i := range s.Links {
		for k := range s.Links[i].Sensors {
			c.Sensors = append(c.Sensors, c.compileSensor(i, &s.Links[i].Sensors[k], &budget))
		}
	}
	c.DriveEnabled = make([]bool, len(s.Drives))
	for i := range s.Drives {
		if why := c.cannotDrive(&s.Drives[i]); why != "" {
			c.note(scene.Unsupported, "drive %d is not run: %s", i, why)
			continue
		}
		c.DriveEnabled[i] = true
	}
	c.addRollers()
	c.removeDrivenFriction()
}

// computeBounds computes the bounds of the model with its joints at zero.
func (c *compiler) computeBounds() {
	toCanonical := c.Spec.Links[c.Spec.Canonical].Pose.Upright().Inverse()
	c.Bounds = r3.EmptyBox()
	for i := range c.Bodies {
		b := &c.Bodies[i]
		for k := range b.Geoms {
			if g := &b.Geoms[k].Def; g.Shape.Kind() != shape.KindPlane {
				c.Bounds = c.Bounds.Union(g.Shape.Bounds(toCanonical.Mul(b.Pose).Mul(g.Pose)))
			}
		}
	}
}

// usable reports whether a pose has finite numbers and a rotation; one that was left out is the identity.
func usable(p r3.Pose) bool {
	_, ok := p.Upright().Unit()
	return ok
}
