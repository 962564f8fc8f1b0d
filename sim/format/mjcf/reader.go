package mjcf

import (
	"errors"
	"fmt"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// build is the model under construction from a document; models that it attaches become part of it.
type build struct {
	doc        *source.Doc
	name       string
	set        settings
	bodies     []*body // as MuJoCo numbers them; the first is the world
	joints     []*joint
	lights     []scene.Light
	ambience   scene.Ambience
	apart      [][2]int // bodies that do not touch each other
	pairs      []pair
	equalities []equality
	devices    []device
	places     map[devicePlace]int // of devices
	parts      int                 // shapes so far
	// by kind ("body", "joint", …) and name; copies by the name that they have without their suffix
	named       map[string]map[string]int
	copies      map[string]map[string][]int
	sites       []*site
	shapes      []placed // by number
	attachments []attachment
	actuation

	keyframes []string // names, in the order of the file
	keyNames  map[string]bool
	opened    []opened
	soft      bool   // it has flexes or the like, which are not run
	made      string // an element that is not run and would make bodies; empty: there is none
	leaders   forest // by joint, the one that it follows
	size      stateSize
}

// actuation is the tendons and actuators of a model.
type actuation struct {
	tendons       []*tendon
	pulls         []pull   // by actuators
	actuators     []*drive // nil: its law is not known
	transmissions []transmit
}

// attachment is a model that was attached: what speaks of its bodies is read once all are there.
type attachment struct {
	reader *reader
	c      context
}

// body is a body of the file.
type body struct {
	name     string
	parent   int     // -1: it is the world
	pose     r3.Pose // against the parent
	at       r3.Pose // in the world, joints at zero
	joints   []int
	free     bool
	twist    r3.Twist   // of a free one at the start: linear in the world's axes, angular in its own
	twists   []r3.Twist // at the start, in the world's axes: behind each of its joints, at least one
	mocap    bool
	weight   float64 // part of its weight that does not pull; 1: it floats
	inertial *scene.Inertial
	geoms    []*geom
	sites    []*site
	cameras  []scene.Sensor
	mass     scene.Inertial
	lost     bool // a mesh that could give it mass is not there
	elem     elem
}

// site is a place on a body.
type site struct {
	name string
	body int
	pose r3.Pose
}

// reader reads the bodies of one file and what speaks of them; an attached model has its own.
type reader struct {
	out           *build
	doc           *document
	set           settings
	classes       *classes
	assets        *assets
	models        map[string]*reader // attached, by name
	attachedModel bool
}

func newReader(b *build, d *source.Doc) *reader {
	doc := &document{top: d, included: map[*xmltree.Node]elem{}, within: map[*xmltree.Node]string{},
		opened: &b.opened}
	r := &reader{out: b, doc: doc, set: usual(), classes: newClasses(doc), models: map[string]*reader{}}
	r.assets = newAssets(doc, r.classes, &r.set, &b.ambience)
	return r
}

// prepare reads what comes before the bodies: settings, defaults and assets.
func (r *reader) prepare() error {
	var err error
	if r.doc.sections, err = r.doc.kids(elem{r.doc.top.Tree.Root, r.doc.top}); err != nil {
		return err
	}
	for _, pass := range []struct {
		name string
		read func(elem) error
	}{
		{"compiler", r.set.compiler}, {"option", r.option},
		{"default", func(e elem) error { return r.classes.read(e, nil) }},
		{"visual", r.visual}, {"asset", r.assets.read},
	} {
		for _, e := range r.doc.sections {
			if e.Name != pass.name {
				continue
			}
			if err := pass.read(e); err != nil {
				return err
			}
		}
	}
	return r.assets.readMaterials()
}

func (r *reader) option(e elem) error {
	kids, err := r.doc.kids(e)
	if err != nil {
		return err
	}
	return r.set.option(e, kids)
}

// worldbody reads the bodies.
func (r *reader) worldbody() error {
	for _, e := range r.doc.sections {
		if e.Name != "worldbody" {
			continue
		}
		if r.out.bodies[0].elem.Node == r.doc.top.Tree.Root {
			r.out.bodies[0].elem = e
		}
		if err := r.inside(e, context{frame: r3.IdentityPose()}); err != nil {
			return err
		}
	}
	return nil
}

// references reads what speaks of bodies, joints and sites.
func (r *reader) references() error {
	if err := r.refer(""); err != nil {
		return err
	}
	type key struct {
		reader *reader
		prefix string
	}
	done := map[key]bool{}
	for _, g := range r.out.attachments {
		if k := (key{g.reader, g.c.prefix}); !done[k] {
			done[k] = true
			g.reader.attachedModel = true
			if err := g.reader.refer(g.c.prefix); err != nil {
				return err
			}
		}
	}
	return nil
}

// refer reads them for a model whose names got a prefix when it was attached.
func (r *reader) refer(prefix string) error {
	for _, e := range r.doc.sections {
		var read func(elem, string) error
		switch e.Name {
		case "contact":
			read = r.contact
		case "equality":
			read = r.equality
		case "tendon":
			read = r.tendon
		case "actuator":
			read = r.actuator
		case "sensor":
			read = r.out.sensor
		case "keyframe":
			if r.attachedModel {
				continue // of another set of joints
			}
			read = r.out.keyframe
		case "compiler", "option", "default", "visual", "asset", "worldbody", "size", "statistic", "custom":
			continue
		case "extension":
			e.note(scene.Unsupported, "<extension>: MuJoCo's plugins are not run")
			continue
		case "deformable":
			e.note(scene.Unsupported, "<deformable>: flexes and skins are not run")
			r.out.soft = true
			continue
		default:
			unknown(e, Root)
			continue
		}
		kids, err := r.doc.kids(e)
		if err != nil {
			return err
		}
		for _, k := range kids {
			err := read(k, prefix)
			if missing := (*absent)(nil); errors.As(err, &missing) && (r.attachedModel || r.out.made != "") {
				if !r.attachedModel {
					k.note(scene.Unsupported, "%s speaks of what a <%s> makes, which is not run; left out: %s",
						elementNamed(k), r.out.made, missing.why)
				}
				continue // it speaks of a body that was not attached, or of one that was not made
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// register gives a name to the thing with that index; the error says that another has it.
func (b *build) register(kind string, e elem, c context, index int) (string, error) {
	name := e.Get("name")
	if name == "" {
		return "", nil
	}
	name = c.prefix + name
	base := name
	name += c.suffix
	if b.named[kind] == nil {
		b.named[kind], b.copies[kind] = map[string]int{}, map[string][]int{}
	}
	if _, taken := b.named[kind][name]; taken {
		return "", e.errorf("a second %s %q", kind, clip(name))
	}
	b.named[kind][name] = index
	if c.suffix != "" {
		b.copies[kind][base] = append(b.copies[kind][base], index)
	}
	return name, nil
}

// lookup finds what an attribute names: one thing, or the copies of one that was replicated.
func (b *build) lookup(kind string, e elem, attr, prefix string) ([]int, error) {
	name := e.Get(attr)
	if name == "" {
		return nil, e.errorf("<%s> has no %s", e.Name, attr)
	}
	if i, ok := b.named[kind][prefix+name]; ok {
		return []int{i}, nil
	}
	if all := b.copies[kind][prefix+name]; len(all) > 0 {
		return all, nil
	}
	why := fmt.Sprintf("there is no %s %q%s", kind, clip(name), source.NearKey(prefix+name, b.named[kind]))
	return nil, &absent{e.errorf("<%s>: %s", e.Name, why), why}
}

// elementNamed is an element with its name, for messages.
func elementNamed(e elem) string {
	if name := e.Get("name"); name != "" {
		return fmt.Sprintf("<%s> %q", e.Name, clip(name))
	}
	return fmt.Sprintf("<%s>", e.Name)
}

// absent is the error of a name that nothing has.
type absent struct {
	error
	why string
}

func (a *absent) Unwrap() error { return a.error }
