package mjcf

import (
	"strings"
	"testing"
)

func TestMisspeltAttributesSayWhatWasMeant(t *testing.T) {
	for text, want := range map[string]string{
		`<geom typ="box" size="1 1 1"/>`:                        `attribute "typ" of <geom> is not known; did you mean "type"?`,
		`<geom size="1"/><joint dampin="3"/>`:                   `did you mean "damping"?`,
		`<geom size="1"/><joint quite_another="3"/>`:            `attribute "quite_another" of <joint> is not known`,
		`<geom size="1"/><joint damping="3" frictionloss="1"/>`: "",
		`<geom size="1"/><jiont/>`:                              `<jiont> in <body> is not known; did you mean "joint"?`,
	} {
		d := open(t, `<mujoco><worldbody><body name="b">`+text+`</body></worldbody></mujoco>`, nil)
		if _, err := Model(d); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		said := ""
		for _, n := range *d.Notes {
			said += n.Text + "\n"
		}
		if !strings.Contains(said, want) || want == "" && strings.Contains(said, "is not known") {
			t.Errorf("%s: %q, want %q", text, said, want)
		}
	}
}
