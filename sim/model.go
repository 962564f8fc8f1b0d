package sim

import (
	"context"
	"fmt"
	"math"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
	"simdeck/sim/shape"
)

// compiledModel is how a model becomes rigid bodies: links joined by fixed joints are
// one body. It follows from the description alone, is made outside the loop,
// is shared by all entities of the model and never changes.
type compiledModel struct {
	spec          *scene.ModelSpec
	static        bool
	bodies        []modelBody
	joints        []modelJoint    // by ModelSpec.Joints
	placements    []linkPlacement // by ModelSpec.Links
	jointEdges    []jointEdge     // from the canonical link's body outward
	sensors       []modelSensor
	articulations [][]int       // joints in reduced coordinates, by tree
	noCollision   [][2]int      // bodies that do not touch each other
	drives        []bool        // by ModelSpec.Drives: whether the engine runs it
	loop          int           // joints of the longest ring
	bounds        r3.Box        // of the collision geometry in the canonical link's frame, joints at zero
	missing       []string      // collision meshes that are not there
	notes         scene.Notes   // what was taken instead of what is missing or not supported
	visuals       []visualShape // for the eye

	// Of compile only.
	linkMasses []shape.Mass // by ModelSpec.Links, in the link's frame
	hulls      map[hullKey]*hullJob
}

// linkPlacement is a link's frame in its body.
type linkPlacement struct {
	body int
	pose r3.Pose
}

// modelBody is one or more links; its frame is that of its root link.
type modelBody struct {
	root        int     // a link
	pose        r3.Pose // in the model frame, joints at zero
	kind        dynamics.BodyType
	mass        shape.Mass
	floating    bool // NoGravity
	drag        scene.Drag
	selfCollide bool // may collide with other bodies of the model
	geoms       []modelGeom
}

// modelGeom is a collision shape of a body.
type modelGeom struct {
	link int
	from int              // which of the link's collisions
	def  dynamics.GeomDef // Pose in the body's frame
}

// modelJoint is a movable joint; the zero value is one that holds still.
type modelJoint struct {
	moves         bool
	tree          int               // 1 + index of plan.trees; 0: none
	parent, child int               // bodies
	def           dynamics.JointDef // without its bodies
}

// jointEdge is a joint of the spanning tree along which poses follow from joint
// positions.
type jointEdge struct {
	joint    int
	from, to int  // bodies
	down     bool // from is the parent
}

// modelSensor is a sensor of a link.
type modelSensor struct {
	link    int
	spec    *scene.Sensor
	enabled bool // else the engine cannot run it
	lidar   *sensor.Lidar
	camera  *sensor.Camera
	loads   []sensorLoad // ForceTorque: what hangs on the joint
	listens []bool       // Contact: by collision shapes of the link
}

// compileModel makes the plan of a model. The errors wrap ErrParse (the description
// contradicts itself) or ErrUnreadableAssets (a shape cannot exist).
func compileModel(spec *scene.ModelSpec, static bool) (*compiledModel, error) {
	p, err := outlineModel(spec, static)
	if err != nil {
		return nil, err
	}
	decomposeMeshes(context.Background(), []*compiledModel{p}, nil)
	p.complete()
	return p, nil
}

// outlineModel begins a plan: its bodies, without shapes. Its errors are those of compile.
func outlineModel(spec *scene.ModelSpec, static bool) (*compiledModel, error) {
	p := &compiledModel{spec: spec, static: static || spec.Static}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("model %q: %w", spec.Name, err)
	}
	if err := p.computeMasses(); err != nil {
		return nil, fmt.Errorf("model %q: %w", spec.Name, err)
	}
	p.mergeFixed()
	return p, nil
}

// complete makes a whole plan of one whose meshes are cut.
func (p *compiledModel) complete() {
	p.fillMass()
	p.buildJoints()
	p.splitUnion()
	p.buildBodies()
	p.selectArticulations()
	p.span()
	p.addSensors()
	p.transferMass()
	p.visuals = visualsOf(p.spec)
	p.computeBounds()
	p.linkMasses, p.hulls = nil, nil
}

// check refuses descriptions whose indices or numbers lead nowhere.
func (p *compiledModel) check() error {
	s := p.spec
	if len(s.Links) == 0 {
		return fmt.Errorf("%w: it has no link", ErrParse)
	}
	if s.Canonical < 0 || s.Canonical >= len(s.Links) {
		return fmt.Errorf("%w: canonical link %d of %d links", ErrParse, s.Canonical, len(s.Links))
	}
	for i := range s.Links {
		if l := &s.Links[i]; !usable(l.Pose) || !usable(l.Inertial.Pose) {
			return fmt.Errorf("%w: link %q: pose %v or that of its inertial has no finite numbers or no rotation", ErrParse, l.Name, l.Pose)
		} else if l.Pose.Pos.MaxAbs() > maxDistance {
			return fmt.Errorf("%w: link %q: its position %v in the model is more than %g m away", ErrParse, l.Name, l.Pose.Pos, maxDistance)
		}
	}
	for _, pair := range s.Apart {
		if min(pair[0], pair[1]) < 0 || max(pair[0], pair[1]) >= len(s.Links) {
			return fmt.Errorf("%w: links %d and %d of %d are kept apart", ErrParse, pair[0], pair[1], len(s.Links))
		}
	}
	for i := range s.Joints {
		j := &s.Joints[i]
		if j.Parent < scene.World || j.Parent >= len(s.Links) || j.Child < 0 || j.Child >= len(s.Links) || j.Parent == j.Child {
			return fmt.Errorf("%w: joint %q ties link %d to %d of %d links", ErrParse, j.Name, j.Child, j.Parent, len(s.Links))
		}
		if !usable(j.Pose) || !j.Axis.IsFinite() {
			return fmt.Errorf("%w: joint %q: pose %v or axis %v is not finite", ErrParse, j.Name, j.Pose, j.Axis)
		}
		if !(math.Abs(j.Initial) <= maxDistance) || j.Pose.Pos.MaxAbs() > maxDistance {
			return fmt.Errorf("%w: joint %q: it begins at %g, and its frame is at %v; at most %g m or rad is right", ErrParse, j.Name, j.Initial, j.Pose.Pos, maxDistance)
		}
	}
	return nil
}

func (p *compiledModel) note(kind scene.NoteKind, format string, args ...any) {
	p.notes = append(p.notes, scene.Note{Kind: kind, File: p.spec.Source, Text: fmt.Sprintf(format, args...)})
}

// addSensors prepares sensors and drives.
func (p *compiledModel) addSensors() {
	s := p.spec
	budget := sensorBudget{rays: sensor.MaxRays, pixels: render.MostPixels}
	for i := range s.Links {
		for k := range s.Links[i].Sensors {
			p.sensors = append(p.sensors, p.compileSensor(i, &s.Links[i].Sensors[k], &budget))
		}
	}
	p.drives = make([]bool, len(s.Drives))
	for i := range s.Drives {
		if why := p.cannotDrive(&s.Drives[i]); why != "" {
			p.note(scene.Unsupported, "drive %d is not run: %s", i, why)
			continue
		}
		p.drives[i] = true
	}
	p.addRollers()
	p.addSlidingFriction()
}

// computeBounds computes the bounds of the model with its joints at zero.
func (p *compiledModel) computeBounds() {
	c := p.spec.Links[p.spec.Canonical].Pose.Upright().Inverse()
	p.bounds = r3.EmptyBox()
	for i := range p.bodies {
		b := &p.bodies[i]
		for k := range b.geoms {
			if g := &b.geoms[k].def; g.Shape.Kind() != shape.KindPlane {
				p.bounds = p.bounds.Union(g.Shape.Bounds(c.Mul(b.pose).Mul(g.Pose)))
			}
		}
	}
}
