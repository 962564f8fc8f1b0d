package dialog

import (
	"testing"

	"simdeck/sim"
)

func TestAKeyframeLoadsTheWorldAnewWithItsName(t *testing.T) {
	for _, uri := range []string{"/r/arm.xml", "/r/arm.xml?keyframe=home"} {
		k := NewKeyframes(uri, []string{"home", "arms up"})
		k.Key(Key{Action: Down})
		o := k.Key(Key{Action: Accept})
		if want := (sim.LoadWorld{Resource: sim.Resource{URI: "/r/arm.xml?keyframe=arms+up"},
			IgnoreMissingAssets: true}); o.Do != want || !o.Close {
			t.Errorf("from %s it does %#v", uri, o.Do)
		}
	}
}
