package webots

import (
	"math"
	"strings"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const (
	standardGravity = 9.81
	usualStep       = 0.032 // s
)

// noteFlat says that a scale would make something flat.
func (rd *reader) noteFlat(v field) {
	rd.note(scene.Suspicious, v.file, v.Pos, "a scale of %v makes it flat; using 1", v.Numbers)
}

// readWorld reads the nodes of a world: WorldInfo first, wherever it stands.
func (rd *reader) readWorld() {
	var info ref
	var all []ref
	for _, n := range rd.main.text.Nodes {
		r := ref{n: n, file: rd.main}
		if n.Type == "WorldInfo" {
			if info.n != nil {
				rd.noteAt(scene.Suspicious, r, "a second WorldInfo; the first holds")
				continue
			}
			info = r
			continue
		}
		all = append(all, r)
	}
	rd.readAxes(info, info.n != nil)
	if info.n != nil {
		rd.readInfo(info)
	}
	for _, r := range all {
		if rd.err != nil {
			return
		}
		rd.place(r, worldFrame)
	}
}

func (rd *reader) readInfo(r ref) {
	s := rd.spec
	if title := strings.TrimSpace(rd.text(r, "title", "")); title != "" {
		s.Name = title
	}
	if v, ok := rd.get(r, "info"); ok {
		s.Description = strings.TrimSpace(strings.Join(v.Strings, " "))
	}
	if v, ok := rd.get(r, "basicTimeStep"); ok {
		step := rd.num(r, "basicTimeStep", 32) / 1000
		if !(step >= scene.MinStepSize && step <= scene.MaxStepSize) {
			rd.fail(v.file, v.Pos, "basicTimeStep of %g ms; %g to %g ms is possible", step*1000,
				scene.MinStepSize*1000, scene.MaxStepSize*1000)
		}
		s.StepSize = step
	}
	g := r3.V(0, 0, -standardGravity)
	if v, ok := rd.get(r, "gravity"); ok && len(v.Numbers) == 1 {
		g.Z = -v.Numbers[0]
	} else if ok {
		g = rd.axes.world.Rotate(rd.vec(r, "gravity", r3.Vec{}))
	}
	s.Gravity = g
	step := 0.032
	if s.StepSize > 0 {
		step = s.StepSize
	}
	rd.readContacts(rd.nodes(r, "contactProperties"), step)
	if d, ok := rd.node(r, "defaultDamping"); ok {
		rd.damping = rd.drag(d)
	}
	if v, ok := rd.get(r, "gpsReference"); ok && rd.text(r, "gpsCoordinateSystem", "local") == "WGS84" {
		ll := rd.vec(r, "gpsReference", r3.Vec{})
		if math.Abs(ll.X) > 90 || math.Abs(ll.Y) > 180 {
			rd.note(scene.Suspicious, v.file, v.Pos,
				"gpsReference of %g° and %g°; latitude and longitude are meant", ll.X, ll.Y)
			return
		}
		s.Earth.Set = true
		s.Earth.Latitude, s.Earth.Longitude, s.Earth.Elevation = ll.X*math.Pi/180, ll.Y*math.Pi/180, ll.Z
	}
}

// place puts a node of the world's top, or of a group there, into the world.
func (rd *reader) place(r ref, f frame) {
	o, ok := rd.open(r)
	if !ok {
		return
	}
	switch role := baseNodes[o.n.Type].role; role {
	case solid, robot, device:
		rd.model(o, r.n.Def, f)
	case group:
		if rd.solidInside(o, 0) {
			inner := rd.inside(f, o)
			rd.tree.add(o, &scene.NodeState{Posed: true, Pose: rd.inWorld(inner.pose)})
			for _, k := range rd.nodes(o, "children") {
				rd.place(k, inner)
			}
			return
		}
		rd.scenery(o, f)
	case fluid:
		readFluid(rd, o, f)
	case visual, joint:
		rd.scenery(o, f)
	case light:
		rd.light(o, f.pose)
	case background:
		rd.background(o)
	case surrounding:
	case part:
		if o.n.Def == "" && r.n.Def == "" { // else it stands there for others to USE
			rd.noteAt(scene.Unsupported, o, "%s%s has no place at the top of a world", o.n.Type, rd.called(o))
		}
	case worldInfo:
		rd.noteAt(scene.Suspicious, o, "a WorldInfo that is not at the top of the world; it is ignored")
	default:
		rd.noteAt(scene.Unsupported, o, "%s%s has no place at the top of a world", o.n.Type, rd.called(o))
	}
}

// solidInside reports whether a group holds a Solid or a light somewhere below, so that its parts are taken
// one by one.
func (rd *reader) solidInside(r ref, depth int) bool {
	for _, k := range rd.nodes(r, "children") {
		if rd.visits--; rd.visits < 0 {
			rd.fail(r.file, r.n.Pos, "more than %d nodes, each USE and each use of a PROTO counted",
				maxVisits)
		}
		if rd.err != nil {
			return false
		}
		b, base := baseNodes[k.n.Type]
		if !base { // a PROTO may be anything
			return true
		}
		switch b.role {
		case solid, robot, device, light, fluid:
			return true
		case group:
			if rd.solidInside(k, depth+1) {
				return true
			}
		}
	}
	return false
}

// light reads a light that stands in a frame of the world.
func (rd *reader) light(r ref, at r3.Pose) {
	c := rd.nums(r, "color", 1, 1, 1)
	out := scene.Light{Kind: "directional", Name: rd.unique(lower(r)), Pose: r3.IdentityPose(),
		Direction: r3.V(0, 0, -1),
		Colour:    [4]float32{unit(c[0]), unit(c[1]), unit(c[2]), 1},
		Intensity: max(0, rd.num(r, "intensity", 1)),
		Shadows:   rd.flag(r, "castShadows", false)}
	out.Off = !rd.flag(r, "on", true) || out.Intensity == 0
	world := rd.axes.world
	switch r.n.Type {
	case "DirectionalLight":
		out.Direction = rd.direction(r, at.Rot, r3.V(0, 0, -1))
	case "SpotLight":
		out.Kind = "spot"
		out.Direction = rd.direction(r, at.Rot, r3.V(0, 0, -1))
		out.Outer = 2 * source.Clamp(rd.num(r, "cutOffAngle", 0.785398), 0, math.Pi/2)
		out.Inner = min(out.Outer, 2*source.Clamp(rd.num(r, "beamWidth", 1.5708), 0, math.Pi/2))
		out.Falloff = 1
	default:
		out.Kind = "point"
	}
	if out.Kind != "directional" {
		out.Pose.Pos = world.Rotate(at.Apply(rd.vec(r, "location", r3.V(0, 0, 10))))
		a := rd.vec(r, "attenuation", r3.V(1, 0, 0))
		out.Constant, out.Linear, out.Quadratic = max(0, a.X), max(0, a.Y), max(0, a.Z)
		out.Range = max(0, rd.num(r, "radius", 100))
	}
	rd.spec.Lights = append(rd.spec.Lights, out)
}

func (rd *reader) direction(r ref, at r3.Quat, otherwise r3.Vec) r3.Vec {
	v, ok := rd.vec(r, "direction", otherwise).Unit()
	if !ok {
		rd.noteAt(scene.Suspicious, r, "the direction of %s is zero; using %v", r.n.Type, otherwise)
		v = otherwise
	}
	return rd.axes.world.Rotate(at.Rotate(v))
}

func (rd *reader) background(r ref) {
	if c := rd.many(r, "skyColor"); len(c) >= 3 {
		rd.spec.Ambience.Background = [4]float32{unit(c[0]), unit(c[1]), unit(c[2]), 1}
	}
	if _, ok := rd.get(r, "skyboxAsCubemap"); ok { // of the built-in only
		rd.spec.Ambience.Sky = true
	}
}

// dusk lights worlds that leave it to their background: Webots' shine from all sides.
func (rd *reader) dusk() {
	for i := range rd.spec.Lights {
		if l := &rd.spec.Lights[i]; l.Kind == "directional" && !l.Off {
			return
		}
	}
	if rd.spec.Ambience.Background[3] > 0 {
		rd.spec.Ambience.Ambient = [4]float32{0.6, 0.6, 0.6, 1}
	}
}

func unit(x float64) float32 { return float32(source.Clamp(x, 0, 1)) }

// lower is a node's type as the default names of Webots are written: "distance sensor".
func lower(r ref) string {
	if r.n.Def != "" {
		return r.n.Def
	}
	if name, ok := map[string]string{"InertialUnit": "inertial unit", "GPS": "gps",
		"LED": "led"}[r.n.Type]; ok {
		return name
	}
	var b strings.Builder
	for i, c := range r.n.Type {
		if i > 0 && c >= 'A' && c <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToLower(string(c)))
	}
	return b.String()
}

// unique is a legal name that nothing in the world has yet.
func (rd *reader) unique(name string) string {
	return rd.names.Take(legal(name))
}

// legal is a name with what entities cannot have in theirs replaced: "wooden box(1)" is wooden_box_1.
func legal(name string) string {
	var b strings.Builder
	for i := 0; i < len(name) && b.Len() < 200; i++ {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.':
			b.WriteByte(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	out := strings.Trim(b.String(), "_")
	if out == "" || out == "world" {
		return strings.Trim("solid_"+out, "_")
	}
	return out
}
