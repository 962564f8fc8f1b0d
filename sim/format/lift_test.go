package format

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

// bodyOf is a robot in URDF of one link with some shapes, and what stands behind it.
func bodyOf(shapes, more string) string {
	return `<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>` +
		shapes + `</link>` + more + `</robot>`
}

// solid is a collision shape at a place.
func solid(shape, origin string) string {
	return `<collision><origin ` + origin + `/><geometry>` + shape + `</geometry></collision>`
}

func TestAModelThatBeginsInTheGroundIsLiftedUntilItStandsOnIt(t *testing.T) {
	const model = `<sdf version="1.9"><model name="m">%s<link name="l"><collision name="c"><geometry><sphere><radius>0.5</radius></sphere></geometry></collision></link></model></sdf>`
	for what, c := range map[string]struct {
		text string
		want float64 // height at which it begins
	}{
		"a box half in the ground":   {bodyOf(solid(`<box size="1 1 1"/>`, ""), ""), 0.5},
		"a box on an edge":           {bodyOf(solid(`<box size="1 1 1"/>`, `rpy="0.785398163397 0 0"`), ""), math.Sqrt2 / 2},
		"a wheel":                    {bodyOf(solid(`<cylinder radius="0.2" length="0.1"/>`, `rpy="1.570796326795 0 0"`), ""), 0.2},
		"a standing cylinder":        {bodyOf(solid(`<cylinder radius="0.2" length="1"/>`, `xyz="0 0 0.1"`), ""), 0.4},
		"a capsule":                  {bodyOf(solid(`<capsule radius="0.2" length="1"/>`, ""), ""), 0.7},
		"a link below":               {bodyOf(solid(`<sphere radius="0.1"/>`, ""), `<link name="foot">`+solid(`<sphere radius="0.1"/>`, `xyz="0 0 -1"`)+`</link><joint name="j" type="fixed"><parent link="base"/><child link="foot"/><origin xyz="0 0 -1"/></joint>`), 2.1},
		"one that stands":            {bodyOf(solid(`<box size="1 1 1"/>`, `xyz="0 0 0.5"`), ""), 0},
		"one that touches lightly":   {bodyOf(solid(`<box size="1 1 1"/>`, `xyz="0 0 0.4995"`), ""), 0},
		"one in the air":             {bodyOf(solid(`<box size="1 1 1"/>`, `xyz="0 0 3"`), ""), 0},
		"one that is held":           {`<robot name="r"><link name="world"/><link name="arm">` + solid(`<box size="1 1 1"/>`, "") + `</link><joint name="j" type="fixed"><parent link="world"/><child link="arm"/></joint></robot>`, 0},
		"one without shapes":         {bodyOf("", ""), 0},
		"an SDF model where it is":   {fmt.Sprintf(model, "<pose>1 2 0.2 0 0 0</pose>"), 0.5},
		"an SDF model that is fixed": {fmt.Sprintf(model, "<static>1</static>"), 0},
		"a body of MuJoCo":           {`<mujoco><worldbody><body name="b" pos="0 0 0.2"><freejoint/><geom size="0.5"/></body></worldbody></mujoco>`, 0.3},
	} {
		w, err := NewLibrary(Config{}).World(scene.Resource{Document: c.text})
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		for _, m := range w.Models {
			if m.Name == groundName {
				continue
			}
			if math.Abs(m.Pose.Pos.Z-c.want) > 1e-6 {
				t.Errorf("%s begins at a height of %g, want %g", what, m.Pose.Pos.Z, c.want)
			}
		}
		if said := strings.Contains(fmt.Sprint(w.Notes), "is lifted until it stands on it"); said != (c.want > 0) {
			t.Errorf("%s: notes %v", what, w.Notes)
		}
	}
}

func TestOptenvInAPlainURDFIsItsDefaultWithANote(t *testing.T) {
	t.Setenv("SIDE", "right")
	text := `<robot name="r"><link name="$(optenv SIDE left)_arm"/><link name="b"/>
<joint name="j" type="$(optenv KIND  fixed)"><parent link="b"/><child link="left_arm"/></joint><link name="c$(optenv NONE)"/>
<joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint></robot>`
	m, err := NewLibrary(Config{}).Model(scene.Resource{Document: text})
	if err != nil {
		t.Fatal(err)
	}
	if m.Links[0].Name != "left_arm" || m.Links[2].Name != "c" || m.Joints[0].Kind != scene.Fixed ||
		strings.Contains(m.Document, "optenv") {
		t.Errorf("%+v\n%s", m.Links, m.Document)
	}
	if all := fmt.Sprint(m.Notes); strings.Count(all, "the environment is not read") != 3 ||
		!strings.Contains(all, `1:17: inferred: $(optenv SIDE left) is "left"`) {
		t.Errorf("notes: %s", all)
	}
	for _, broken := range []string{"$(optenv", "$(optenv )", "$(optenv SIDE left", "$(optenv $(find x) y)", "$(env SIDE)"} {
		m, err := NewLibrary(Config{}).Model(scene.Resource{Document: `<robot name="r"><link name="` + broken + `"/></robot>`})
		if err != nil || m.Links[0].Name != broken {
			t.Errorf("%s: %v, %+v", broken, err, m)
		}
	}
}
