package format

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/format/schema"
	"simdeck/sim/scene"
)

// trial is the outcome of reading a file: its model or world without notes, and the reader's messages.
type trial struct {
	spec any
	says string
}

// tried reads a file.
func tried(name, text string) trial {
	lib := libraryOf(map[string]string{name: text,
		"other.sdf": `<sdf version="1.12"><model name="o"><link name="l"/><frame name="f"><pose>1 0 0 0 0 0</pose></frame></model></sdf>`})
	if strings.Contains(text, "<world") {
		w, err := lib.World(scene.Resource{URI: name})
		if err != nil {
			return trial{says: err.Error()}
		}
		says := fmt.Sprint(w.Notes)
		w.Notes, w.File.Text = nil, ""
		return trial{w, says}
	}
	m, err := lib.Model(scene.Resource{URI: name})
	if err != nil {
		return trial{says: err.Error()}
	}
	says := fmt.Sprint(m.Notes)
	m.Notes, m.Text = nil, ""
	return trial{m, says}
}

// values are tried in turn: one of them is no element's default.
var values = []string{"0.37", "3", "true", "false", "1 0 0", "0.3 0.4 0.5", "0.1 0.2 0.3 0.4 0.5 0.6", "0.3 0.4",
	"l", "b", "k", "odd", "-0.2", "__model__", "parent_to_child"}

// noisy is the content of an element <noise>.
const noisy = `<type>gaussian</type><stddev>0.4</stddev>`

// apart are parts that make no difference here, and why.
var apart = map[string]string{
	"actor/skin/scale":                 "a skin is drawn of a mesh file, which this has not",
	"actor/script/trajectory/@id":      "a label",
	"actor/script/trajectory/@type":    "it names an animation of limbs, which is told as not run",
	"battery/voltage":                  "it is that of a battery of a plugin, which this has not: see gazebo's battery_test.go",
	"physics/@name":                    "a label",
	"physics/@default":                 "it chooses between several, of which this has one",
	"heightmap_shape/texture/size":     "a texture is drawn of picture files, which this has not",
	"heightmap_shape/texture/diffuse":  "likewise",
	"heightmap_shape/blend/min_height": "likewise",
	"heightmap_shape/blend/fade_dist":  "likewise",
	"mesh_shape/submesh/name":          "a part is of a mesh file, which this has not",
	"mesh_shape/submesh/center":        "likewise",
}

// jointOf is a joint of SDF of a kind, and what its reader needs beside a part.
func jointOf(kind, more string) string {
	joint := strings.Replace(withJoint(inJoint), "revolute", kind, 1)
	return strings.Replace(joint, "%s</joint>", more+"%s</joint>", 1)
}

// bySize is a link whose inertia follows from its shapes.
const bySize = `<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true">%i</inertial>
	<collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry>%c</collision></link></model></sdf>`

// yawedJoint is a joint to a link that is turned about z.
func yawedJoint(kind string) string {
	return strings.Replace(jointOf(kind, ""), `<link name="b"/>`, `<link name="b"><pose>0 0 0 0 0 1</pose></link>`, 1)
}

// beside are elements without which others in the same one mean nothing.
var beside = map[string]string{
	"world/include":                   `<uri>other.sdf</uri><pose>0 0 1 0 0 0</pose>`,
	"actor/script/trajectory":         `<waypoint><time>0</time><pose>0 0 0 0 0 0</pose></waypoint><waypoint><time>1</time><pose>1 0 0 0 0 0</pose></waypoint><waypoint><time>2</time><pose>1 1 0 0 0 1</pose></waypoint>`,
	"population":                      `<box><size>4 4 1</size></box><model_count>4</model_count>`,
	"population/distribution":         `<type>grid</type><cols>2</cols><rows>2</rows><step>2 2 0</step>`,
	"model/include":                   `<uri>other.sdf</uri><pose>0 0 1 0 0 0</pose>`,
	"surface/friction/torsional":      `<coefficient>1</coefficient><use_patch_radius>false</use_patch_radius>`,
	"surface/friction/ode":            `<mu>0.5</mu><fdir1>1 0 0</fdir1>`,
	"surface/friction/bullet":         `<friction>0.5</friction><friction2>0.2</friction2><fdir1>1 0 0</fdir1>`,
	"imu/orientation_reference_frame": `<localization>CUSTOM</localization>`,
}

// texts are the texts of elements whose attributes mean something only beside one.
var texts = map[string]string{"joint_state/axis_state/position": "10", "link_state/angular_velocity": "10 20 30",
	"joint/axis/xyz": "1 0 0", "joint/axis2/xyz": "1 0 0", "inertial/pose": "0 0 0 10 20 30",
	"imu/orientation_reference_frame/custom_rpy": "0 0 1"}

// needing are files for parts that mean something only in company.
var needing = map[string]string{
	"pose/@degrees":                inLink(`<collision name="c"><pose%a>0 0 0 10 20 30</pose><geometry><box/></geometry></collision>`),
	"joint/parent":                 withJoint(`<joint name="j" type="revolute"><child>b</child>%s</joint>`),
	"joint/child":                  withJoint(`<joint name="j" type="revolute"><parent>a</parent>%s</joint>`),
	"joint/gearbox_ratio":          jointOf("gearbox", `<gearbox_reference_body>a</gearbox_reference_body>`),
	"joint/gearbox_reference_body": jointOf("gearbox", ""),
	"joint/thread_pitch":           jointOf("screw", ""),
	"joint/screw_thread_pitch":     jointOf("screw", ""),
	"joint/axis/xyz/@expressed_in": yawedJoint("revolute"), "joint/axis2/xyz/@expressed_in": yawedJoint("universal"),
	"joint/axis2":       jointOf("universal", ""),
	"inertial/density":  strings.NewReplacer("%i", "%s", "%c", "").Replace(bySize),
	"collision/density": strings.NewReplacer("%i", "", "%c", "%s").Replace(bySize),
	"inertial/pose/@": `<sdf version="1.12"><model name="m"><link name="l"><inertial><mass>1</mass>%s
		<inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz></inertia></inertial></link></model></sdf>`,
	"visual/transparency": inLink(`<visual name="v"><geometry><box/></geometry>
		<material><diffuse>1 0 0 1</diffuse></material>%s</visual>`),
	"noise/precision": inLink(`<sensor name="s" type="air_pressure"><air_pressure><pressure>
		<noise type="gaussian_quantized">%s</noise></pressure></air_pressure></sensor>`),
	"polyline_shape/height": inGeom(`<polyline><point>0 0</point><point>1 0</point><point>1 1</point>%s</polyline>`),
}

// file is the text that holds a part: that of its type, or one with the company that it needs.
func (p part) file(around string) string {
	name, best := p.String(), ""
	for prefix, text := range needing {
		if strings.HasPrefix(name, prefix) && len(prefix) > len(best) {
			best, around = prefix, text
		}
	}
	return around
}

// with is the file with a value in an element or attribute, and the elements around it.
func (p part) with(around, value string) string {
	inside, own := cmp.Or(value, texts[strings.Join(p.path, "/")]), ""
	if p.attr != "" {
		inside, own = texts[strings.Join(p.path, "/")], fmt.Sprintf(` %s="%s"`, p.attr, value)
	}
	for i := len(p.path) - 1; i > 0; i-- {
		inside += beside[strings.Join(p.path[:i+1], "/")]
		inside = fmt.Sprintf("<%s%s>%s</%s>", p.path[i], own, inside, p.path[i])
		own = ""
	}
	return strings.NewReplacer("%a", own, "%s", inside).Replace(around)
}

// TestWhatSDFCallsUnderstoodMakesADifference reads two small files for each element and attribute that the
// table declares as understood: with a value and without. Models or notes have to differ.
func TestWhatSDFCallsUnderstoodMakesADifference(t *testing.T) {
	d := dialects[0]
	list, held, aside := listed(t, d), 0, 0
	for _, typ := range list.Types {
		around, ok := d.around[typ.Name]
		if !ok {
			continue // TestNoElementOfASchemaIsSilent wants it
		}
		for _, p := range parts(typ) {
			use, _, found := p.declared(d.table)
			if !found || use != schema.Understood {
				continue
			}
			if p.holds(list) {
				continue
			}
			around := p.file(around)
			plain := tried(d.file, p.parent().with(around, ""))
			differs := func(value string) bool {
				got := tried(d.file, p.with(around, value))
				return got.says != plain.says || !reflect.DeepEqual(got.spec, plain.spec)
			}
			switch made := slices.ContainsFunc(p.values(), differs); {
			case made && apart[p.String()] != "":
				t.Logf("%v makes a difference; yet it is an exception: %s", p, apart[p.String()])
			case made:
				held++
			case apart[p.String()] == "":
				t.Errorf("%v is declared as understood, and no value of it changes the model or makes a note", p)
			default:
				aside++
			}
		}
	}
	t.Logf("%d held, %d aside", held, aside)
	if held < 290 {
		t.Errorf("%d held: the list has gone", held)
	}
}

// values are those to try for a part.
func (p part) values() []string {
	if p.attr == "" && p.path[len(p.path)-1] == "noise" {
		return []string{noisy}
	}
	return values
}

// parent is the element around a part.
func (p part) parent() part {
	if p.attr != "" {
		return part{path: p.path}
	}
	return part{path: p.path[:len(p.path)-1]}
}

// holds reports that a part is of other elements alone, which are held each for itself. Noise is held where
// it stands, too: what reads a sensor has to look for it.
func (p part) holds(list *schema.Table) bool {
	if p.attr != "" {
		return false
	}
	e := list.Type(p.path[0])
	for _, name := range p.path[1:] {
		if e = list.Kid(e, name); e == nil {
			return false
		}
	}
	return len(e.Kids) > 0 || e.Type != "" && e.Type != "noise" && e.Type != "pose"
}
