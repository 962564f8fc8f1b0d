package format

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/format/mjcf"
	"simdeck/sim/format/schema"
	"simdeck/sim/format/sdf"
	"simdeck/sim/format/urdf"
	"simdeck/sim/format/webots"
	"simdeck/sim/scene"
)

// dialect is a format with the list of elements and attributes that its own schema has.
type dialect struct {
	name    string
	list    string // in testdata/schema
	table   *schema.Table
	readers []string // packages that read it
	file    string
	// around is the text of a file with %s for the content of an element of that type, and %a for its
	// attributes.
	around map[string]string
}

// within is a model of SDF with a place in its link.
const within = `<sdf version="1.12"><model name="m"><link name="l"%a><inertial><mass>1</mass></inertial>%s</link></model></sdf>`

// inLink is an element of a link with its own content.
func inLink(element string) string {
	return strings.NewReplacer("%a", "", "%s", element).Replace(within)
}

// inWorld is a world of SDF with a place.
func inWorld(element string) string {
	return `<sdf version="1.12"><world name="w">` + element + `</world></sdf>`
}

// inGeom is a shape of SDF.
func inGeom(shape string) string {
	return inLink(`<visual name="v"><geometry>` + shape + `</geometry></visual>`)
}

// inSensor is a sensor of SDF with an element of its kind.
func inSensor(kind, element string) string {
	return inLink(`<sensor name="s" type="` + kind + `"><` + element + `%a>%s</` + element + `></sensor>`)
}

// withJoint is a model of SDF with two links and a joint.
func withJoint(joint string) string {
	return `<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/>` + joint + `</model></sdf>`
}

// inJoint is a joint of SDF.
const inJoint = `<joint name="j" type="revolute"%a><parent>a</parent><child>b</child>%s</joint>`

var sdfAround = map[string]string{
	"root":  `<sdf version="1.12"%a><model name="m"><link name="l"/></model>%s</sdf>`,
	"world": `<sdf version="1.12"><world name="w"%a>%s</world></sdf>`,
	"model": `<sdf version="1.12"><model name="m"%a><link name="k"/>%s</model></sdf>`,
	"actor": inWorld(`<actor name="a"%a>%s</actor>`), "light": inWorld(`<light name="l" type="point"%a>%s</light>`),
	"pose": inLink(`<pose%a>0 0 0 0 0 0</pose>`), "plugin": inWorld(`<plugin name="p" filename="f"%a>%s</plugin>`),
	"atmosphere": inWorld(`<atmosphere%a>%s</atmosphere>`), "physics": inWorld(`<physics%a>%s</physics>`),
	"scene": inWorld(`<scene%a>%s</scene>`), "frame": inWorld(`<frame name="f"%a>%s</frame>`),
	"joint": withJoint(inJoint), "mimic": withJoint(strings.NewReplacer("%a", "", "%s", `<axis><mimic joint="k"%a>%s</mimic></axis>`).
			Replace(inJoint) + strings.NewReplacer(`"j"`, `"k"`, "%a", "", "%s", "").Replace(inJoint)),
	"spherical_coordinates": inWorld(`<spherical_coordinates%a>%s</spherical_coordinates>`),
	"state":                 inWorld(`<state%a>%s</state>`),
	"model_state":           inWorld(`<model name="m"><link name="l"/></model><state><model name="m"%a>%s</model></state>`),
	"light_state":           inWorld(`<light name="l"/><state><light_state name="l"%a>%s</light_state></state>`),
	"joint_state": inWorld(`<model name="m"><link name="a"/><link name="b"/>` + strings.NewReplacer("%a", "", "%s", "").Replace(inJoint) +
		`</model><state><model name="m"><joint name="j"%a>%s</joint></model></state>`),
	"link_state": inWorld(`<model name="m"><link name="l"/></model><state><model name="m"><link name="l"%a>%s</link></model></state>`),
	"population": inWorld(`<population name="p"%a><model name="m"><link name="l"/></model>%s</population>`),
	"link":       within, "inertial": `<sdf version="1.12"><model name="m"><link name="l"><inertial%a>%s</inertial></link></model></sdf>`,
	"sensor":    inLink(`<sensor name="s" type="imu"%a>%s</sensor>`),
	"collision": inLink(`<collision name="c"%a><geometry><box/></geometry>%s</collision>`),
	"visual":    inLink(`<visual name="v"%a><geometry><box/></geometry>%s</visual>`),
	"material":  inLink(`<visual name="v"><geometry><box/></geometry><material%a>%s</material></visual>`),
	"geometry":  inLink(`<visual name="v"><geometry%a>%s</geometry></visual>`),
	"surface":   inLink(`<collision name="v"><geometry><box/></geometry><surface%a>%s</surface></collision>`),
	"box_shape": inGeom(`<box%a>%s</box>`), "capsule_shape": inGeom(`<capsule%a>%s</capsule>`),
	"cone_shape": inGeom(`<cone%a>%s</cone>`), "cylinder_shape": inGeom(`<cylinder%a>%s</cylinder>`),
	"ellipsoid_shape": inGeom(`<ellipsoid%a>%s</ellipsoid>`), "sphere_shape": inGeom(`<sphere%a>%s</sphere>`),
	"plane_shape": inGeom(`<plane%a>%s</plane>`), "mesh_shape": inGeom(`<mesh%a>%s</mesh>`),
	"heightmap_shape": inGeom(`<heightmap%a>%s</heightmap>`),
	"polyline_shape": inGeom(`<polyline%a><point>0 0</point><point>1 0</point><point>1 1</point>
		<height>1</height>%s</polyline>`),
	"battery":      inLink(`<battery name="b"%a>%s</battery>`),
	"air_pressure": inSensor("air_pressure", "air_pressure"), "altimeter": inSensor("altimeter", "altimeter"),
	"air_speed": inSensor("air_speed", "air_speed"), "sonar": inSensor("sonar", "sonar"),
	"camera": inSensor("camera", "camera"), "contact": inSensor("contact", "contact"),
	"forcetorque": inSensor("force_torque", "force_torque"), "gps": inSensor("gps", "gps"),
	"imu": inSensor("imu", "imu"), "lidar": inSensor("lidar", "lidar"), "ray": inSensor("ray", "ray"),
	"magnetometer": inSensor("magnetometer", "magnetometer"), "navsat": inSensor("navsat", "navsat"),
	"noise": inLink(`<sensor name="s" type="air_pressure"><air_pressure><pressure>
		<noise%a>%s</noise></pressure></air_pressure></sensor>`),
}

// inRobot is a robot of URDF with two links.
func inRobot(text string) string {
	return `<robot name="r"><link name="a"/><link name="b"/>` + text + `</robot>`
}

// urdfJoint is a joint of URDF.
const urdfJoint = `<joint name="j" type="fixed"%a><parent link="a"/><child link="b"/>%s</joint>`

var urdfAround = map[string]string{
	"robot": `<robot name="r"%a><link name="a"/>%s</robot>`, "link": `<robot name="r"><link name="a"%a>%s</link></robot>`,
	"pose":     `<robot name="r"><link name="a"><visual><origin%a/><geometry><sphere radius="1"/></geometry></visual></link></robot>`,
	"geometry": `<robot name="r"><link name="a"><visual><geometry>%s</geometry></visual></link></robot>`,
	"material": `<robot name="r"><link name="a"/><material name="m"%a>%s</material></robot>`,
	"joint":    inRobot(urdfJoint), "transmission": inRobot(strings.NewReplacer("%a", "", "%s", "").Replace(urdfJoint) + `<transmission%a>%s</transmission>`),
	"gazebo": `<robot name="r"><link name="a"/><gazebo reference="a">%s</gazebo></robot>`,
}

var mjcfAround = map[string]string{
	"mujoco": `<mujoco%a><worldbody><body name="b"><geom name="g" size="1"/><joint name="j"/><site name="s"/></body></worldbody>
		<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>%s</mujoco>`,
	"default": `<mujoco><default%a>%s</default><worldbody><body><geom size="1"/></body></worldbody></mujoco>`,
	"body":    `<mujoco><worldbody><body name="b"%a><geom size="1"/>%s</body></worldbody></mujoco>`,
}

// dialects are the formats whose schemas are in testdata.
var dialects = []dialect{
	{"SDF", "sdf-1.12", sdf.Elements(), []string{"sdf", "gazebo", "source"}, "m.sdf", sdfAround},
	{"URDF", "urdf-1.2", urdf.Elements(), []string{"urdf", "gazebo", "source"}, "m.urdf", urdfAround},
	{"MJCF", "mjcf-4.0", mjcf.Elements(), []string{"mjcf", "source"}, "m.xml", mjcfAround},
	{"Webots", "webots-r2025", webots.Elements(), []string{"webots", "source"}, "w.wbt", nil},
}

// listed is the schema of a format.
func listed(t *testing.T, d dialect) *schema.Table {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata/schema", d.list+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := schema.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// part is an element or attribute of a schema where it stands in a type.
type part struct {
	path []string // of elements, from the type on
	attr string   // empty: the element itself
}

func (p part) String() string {
	text := strings.Join(p.path, "/")
	if p.attr != "" {
		text += "/@" + p.attr
	}
	return text
}

// parts are those of a type of a schema, less those within another type.
func parts(of *schema.Element) (all []part) {
	var into func(e *schema.Element, path []string)
	into = func(e *schema.Element, path []string) {
		for _, a := range e.Attrs {
			all = append(all, part{path, a.Name})
		}
		for _, k := range e.Kids {
			below := append(slices.Clone(path), k.Name)
			all = append(all, part{below, ""})
			into(k, below)
		}
	}
	into(of, []string{of.Name})
	return all
}

// declared finds what a table says of a part, and at which depth: of what holds it where that is not run.
func (p part) declared(table *schema.Table) (use schema.Use, depth int, found bool) {
	e := table.Type(p.path[0])
	if e == nil {
		return 0, 0, false
	}
	for i, name := range p.path[1:] {
		if table.IsOpen(e) && table.Kid(e, name) == nil {
			return schema.Understood, i, true
		}
		if e = table.Kid(e, name); e == nil {
			return 0, 0, false
		}
		if e.Use != schema.Understood {
			return e.Use, i + 1, true
		}
	}
	if p.attr == "" {
		return e.Use, len(p.path), true
	}
	if a := table.Attr(e, p.attr); a != nil {
		return a.Use, len(p.path), true
	}
	return schema.Understood, 0, table.IsOpen(e)
}

// needed are attributes without which readers refuse an element, by type and name.
var needed = map[string]string{
	"mujoco/mesh": ` name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"`, "mujoco/texture": ` name="t" rgb1="1 1 1"`,
	"mujoco/material": ` name="m"`, "mujoco/hfield": ` name="h" nrow="2" ncol="2" size="1 1 1 1"`,
	"mujoco/fixed": ` name="f"`, "mujoco/connect": ` body1="b" anchor="0 0 0"`, "mujoco/weld": ` body1="b"`,
	"mujoco/tendon":  ` tendon1="t"`,
	"mujoco/general": ` joint="j"`, "mujoco/motor": ` joint="j"`, "mujoco/position": ` joint="j"`,
	"mujoco/velocity": ` joint="j"`, "mujoco/intvelocity": ` joint="j"`, "mujoco/damper": ` joint="j"`,
	"mujoco/cylinder": ` joint="j"`, "mujoco/muscle": ` joint="j"`, "mujoco/pid": ` joint="j"`,
	"mujoco/dcmotor": ` joint="j"`, "mujoco/orientation": ` joint="j"`,
	"mujoco/adhesion": ` body="b"`, "mujoco/pair": ` geom1="g" geom2="g"`,
	"mujoco/model": ` name="m" file="odd"`, "mujoco/key": ` name="home"`,
	"mujoco/touch": ` site="s"`, "mujoco/accelerometer": ` site="s"`, "mujoco/velocimeter": ` site="s"`,
	"mujoco/gyro": ` site="s"`, "mujoco/force": ` site="s"`, "mujoco/torque": ` site="s"`,
	"mujoco/magnetometer": ` site="s"`, "mujoco/rangefinder": ` site="s"`,
	"mujoco/jointpos": ` joint="j"`, "mujoco/jointvel": ` joint="j"`, "body/attach": ` model="m"`,
	"body/geom": ` size="1"`,
}

// value is one for an attribute, which asks for what is not done.
func value(attr string) string {
	if attr == "class" {
		return "main" // others are looked up
	}
	return "odd"
}

// attribute is one as it is written.
var attribute = regexp.MustCompile(` \w+="[^"]*"`)

// written is the file of a format that holds the part and nothing else that is worth a note.
func (p part) written(around string) string {
	inside, attr := "", ""
	if p.attr == "" {
		inside = "odd"
	}
	for i := len(p.path) - 1; i > 0; i-- {
		own := ""
		if p.attr != "" && i == len(p.path)-1 {
			own = ` ` + p.attr + `="` + value(p.attr) + `"`
		}
		for _, a := range attribute.FindAllString(needed[p.path[0]+"/"+p.path[i]], -1) {
			if i < len(p.path)-1 || !strings.HasPrefix(a, " "+p.attr+"=") {
				own += a
			}
		}
		inside = fmt.Sprintf("\n<%s%s>%s</%s>\n", p.path[i], own, inside, p.path[i])
	}
	if p.attr != "" && len(p.path) == 1 {
		attr = ` ` + p.attr + `="` + value(p.attr) + `"`
	}
	return strings.NewReplacer("%a", attr, "%s", inside).Replace(around)
}

// TestNoElementOfASchemaIsSilent reads a file with every element and every attribute that the formats' own
// schemas list. The reader notes each one that its table does not declare as understood or cosmetic, with line
// and column, by name or its parent's.
func TestNoElementOfASchemaIsSilent(t *testing.T) {
	for _, d := range dialects {
		if d.around == nil {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			list, noted, understood := listed(t, d), 0, 0
			held := unread(d.table, list)
			for _, typ := range list.Types {
				around, ok := d.around[typ.Name]
				if held[typ.Name] {
					continue
				}
				if !ok {
					t.Errorf("no file of this test holds %q", typ.Name)
					continue
				}
				for _, p := range parts(typ) {
					use, depth, found := p.declared(d.table)
					switch {
					case !found:
						t.Errorf("%v is not declared in the reader's table", p)
					case use == schema.Understood:
						understood++
					case use == schema.Cosmetic:
					default:
						noted++
						name := p.attr
						if depth < len(p.path) {
							name = p.path[depth]
						} else if name == "" {
							name = p.path[len(p.path)-1]
						}
						text := p.written(around)
						notes, err := notesOn(d.file, text)
						if err != nil && refused(err, name, p.path[len(p.path)-1]) {
							continue
						}
						if err != nil {
							t.Errorf("%v: %v: %s", p, err, text)
						} else if !names(notes, name) {
							t.Errorf("%v is %v, and no note names it: %s\n%v", p, use, text, notes)
						}
					}
				}
			}
			t.Logf("%d understood, %d noted", understood, noted)
			if understood < 80 || noted < 40 {
				t.Errorf("%d understood, %d noted: the lists have gone", understood, noted)
			}
		})
	}
}

// unread are the types of a schema that stand only in what is not run.
func unread(table, list *schema.Table) map[string]bool {
	out := map[string]bool{}
	for _, typ := range list.Types {
		out[typ.Name] = table.Type(typ.Name) == nil
	}
	return out
}

// libraryOf reads files from memory.
func libraryOf(files map[string]string) *Library {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return NewLibrary(Config{Roots: []asset.Root{{Name: "r", FS: fsys}}})
}

// modelNamed is the text of the notes on a model.
func modelNamed(lib *Library, name string) (said string, err error) {
	m, err := lib.Model(scene.Resource{URI: name})
	if err != nil {
		return "", err
	}
	for _, n := range m.Notes {
		said += n.String() + "\n"
	}
	return said, nil
}

// notesOn are the notes on a file.
func notesOn(name, text string) (scene.Notes, error) {
	lib := libraryOf(map[string]string{name: text})
	if strings.Contains(text, "<world") || strings.HasSuffix(name, ".wbt") {
		w, err := lib.World(scene.Resource{URI: name})
		if err != nil {
			return nil, err
		}
		return w.Notes, nil
	}
	m, err := lib.Model(scene.Resource{URI: name})
	if err != nil {
		return nil, err
	}
	return m.Notes, nil
}

// refused reports that an error has a place and names something, or what holds it.
func refused(err error, name, holder string) bool {
	return names(scene.Notes{{Line: 1, Column: 1, Text: err.Error()}}, name) ||
		regexp.MustCompile(`:\d+:\d+: .*<`+regexp.QuoteMeta(holder)+`>`).MatchString(err.Error())
}

// names reports that a note with a place names something.
func names(notes scene.Notes, name string) bool {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	for _, n := range notes {
		if n.Line > 0 && n.Column > 0 && word.MatchString(n.Text) {
			return true
		}
	}
	return false
}

// TestNoFieldOfWebotsIsSilent is TestNoElementOfASchemaIsSilent for nodes and their fields.
func TestNoFieldOfWebotsIsSilent(t *testing.T) {
	d := dialects[len(dialects)-1]
	noted, understood := 0, 0
	list, before := listed(t, d), listed(t, dialect{list: "webots-earlier"})
	for _, node := range slices.Concat(list.Types, before.Types) {
		if node.Name == strings.ToLower(node.Name) {
			continue // common fields of nodes
		}
		declared := d.table.Type(node.Name)
		if declared == nil {
			t.Errorf("%s is not declared in the reader's table", node.Name)
			continue
		}
		for _, field := range append([]string{""}, list.Attrs(node)...) {
			name, use := node.Name, declared.Use
			if field != "" && use == schema.Understood {
				a := d.table.Attr(declared, field)
				if a == nil {
					if !d.table.IsOpen(declared) {
						t.Errorf("field %s of %s is not declared in the reader's table", field, node.Name)
					}
					continue
				}
				name, use = field, a.Use
			}
			if use == schema.Understood {
				understood++
				continue
			}
			noted++
			own := ""
			if field != "" {
				own = field + " [ 12345 ]"
			}
			text := "#VRML_SIM R2025a utf8\nSolid {\n  recognitionColors [\n    " + node.Name + " { " + own + " }\n  ]\n}\n"
			if notes, err := notesOn(d.file, text); err != nil {
				t.Errorf("%s %s: %v", node.Name, field, err)
			} else if names(notes, name) == (use == schema.Cosmetic) {
				t.Errorf("%s %s is %v (%d), and the notes are %v", node.Name, field, use, use, notes)
			}
		}
	}
	t.Logf("%d understood, %d noted", understood, noted)
	if understood < 200 || noted < 200 {
		t.Errorf("%d understood, %d noted: the list has gone", understood, noted)
	}
}

// TestNoFieldOfWebotsIsInvented: every node and field of the table is one of R2025, or one that Webots reads
// beside.
func TestNoFieldOfWebotsIsInvented(t *testing.T) {
	d := dialects[len(dialects)-1]
	now, before := listed(t, d), listed(t, dialect{list: "webots-earlier"})
	in := func(list *schema.Table, types []string, field string) bool {
		return slices.ContainsFunc(types, func(name string) bool {
			typ := list.Type(name)
			return typ != nil && (field == "" || list.Attr(typ, field) != nil)
		})
	}
	for _, node := range d.table.Types {
		types := []string{node.Name}
		for e := node; e.Type != ""; e = d.table.Type(e.Type) {
			types = append(types, e.Type, strings.ToUpper(e.Type[:1])+e.Type[1:])
		}
		if node.Name == strings.ToLower(node.Name) {
			continue // common fields of nodes
		}
		for _, field := range append([]string{""}, d.table.Attrs(node)...) {
			if !in(now, types, field) && !in(before, types, field) {
				t.Errorf("%s %s is declared, and no version of Webots has it", node.Name, field)
			}
		}
	}
}

// labels are understood without being read: names without dependants, and kinds of observed objects whose
// state the world tells anyway.
var labels = strings.Fields("id type name description objname objtype")

// TestReadersNameWhatTheyUnderstand looks into the readers for every name that their tables declare as
// understood: what no text of theirs names cannot be read.
func TestReadersNameWhatTheyUnderstand(t *testing.T) {
	for _, d := range dialects {
		words := wordsOf(t, d.readers)
		list := listed(t, d)
		for _, typ := range list.Types {
			if d.table.Type(typ.Name) == nil {
				continue
			}
			for _, p := range parts(typ) {
				name := p.attr
				if name == "" {
					name = p.path[len(p.path)-1]
				}
				use, _, found := p.declared(d.table)
				if found && use == schema.Understood && !words[strings.TrimSuffix(name, "_state")] &&
					!slices.Contains(labels, name) {
					t.Errorf("%s: %v is declared as understood, and no text of %v names it", d.name, p, d.readers)
				}
			}
		}
	}
}

// wordsOf are the words within the texts of the sources of packages, tests aside.
func wordsOf(t *testing.T, packages []string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	word := regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	for _, dir := range packages {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", dir, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					text, err := strconv.Unquote(l.Value)
					if err != nil {
						t.Fatal(err)
					}
					for _, w := range word.FindAllString(text, -1) {
						all[w] = true
					}
				}
				return true
			})
		}
	}
	return all
}
