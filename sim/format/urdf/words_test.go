package urdf

import (
	"strings"
	"testing"
)

func TestWhatIsMisspeltSaysWhatWasMeant(t *testing.T) {
	for text, want := range map[string]string{
		a + b + `<joint name="j" type="revolut"><parent link="a"/><child link="b"/></joint>`:                          `did you mean "revolute"?`,
		a + `<link name="base_link"/><joint name="j" type="fixed"><parent link="base_lnk"/><child link="a"/></joint>`: `did you mean "base_link"?`,
		`<link name="l"><inertal><mass value="1"/></inertal></link>`:                                                  `<inertal> in <link> is not known; did you mean "inertial"?`,
		`<link name="l"><visual><origin xyx="1 2 3"/><geometry><sphere radius="1"/></geometry></visual></link>`:       `attribute "xyx" of <origin> is not known; did you mean "xyz"?`,
		`<link name="l"><visual name="v"><geometry><sphere radius="1" simdeck:x="1"/></geometry></visual></link>`:     ``,
	} {
		spec, err := read(t, robotOf(text))
		said := ""
		if err != nil {
			said = err.Error()
		} else {
			for _, n := range spec.Notes {
				said += n.Text + "\n"
			}
		}
		if !strings.Contains(said, want) || want == "" && said != "" {
			t.Errorf("%s: %q, want %q", text, said, want)
		}
	}
}
