package sim

import "testing"

func TestLoadingNamesWhatIsLoadedAndHowFarItIs(t *testing.T) {
	for uri, want := range map[string]string{
		"world://@cache@/warehouse":         "Loading warehouse",
		"/home/a/robots/arm.urdf.xacro?x=1": "Loading arm.urdf.xacro",
		`C:\worlds\lab.sdf`:                 "Loading lab.sdf",
		"model://table/model.sdf":           "Loading table",
		"bundles/harbor/world.yaml":         "Loading harbor",
		"world.sdf":                         "Loading world.sdf",
		"":                                  "Loading the text of a world or model",
	} {
		if got := LoadingOf(Resource{URI: uri}).String(); got != want {
			t.Errorf("%q: %q, want %q", uri, got, want)
		}
	}
	for want, l := range map[string]Loading{
		"": {}, "Loading lab": {What: "lab"}, "Loading 3 of 9 meshes": {Done: 3, Of: 9, Mesh: "hip.stl"},
		"Loading lab: 3 of 9 meshes": {What: "lab", Done: 3, Of: 9},
	} {
		if got := l.String(); got != want {
			t.Errorf("%+v: %q, want %q", l, got, want)
		}
	}
}
