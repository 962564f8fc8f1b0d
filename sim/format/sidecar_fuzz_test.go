package format

import (
	"math"
	"testing"

	"simdeck/sim/scene"
)

// FuzzSidecar reads anything as what stands beside a model. Bounds that it gives are bounds.
func FuzzSidecar(f *testing.F) {
	for _, text := range []string{
		`{"asset":"m.sdf","category":"robot","description":"d","tags":["a"],"bounds":{"box":{"min":[0,0,0],"max":[1,1,1]}}}`,
		`{"bounds":{"sphere":{"radius":2}}}`, `{"bounds":{"hull":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}}`,
		"{\n \"tags\": 5}", `{} x`, "\xff\xfe{\x00}\x00",
		`{"convex":{"parts":8,"error":0.1}}`, `{"convex":{"parts":0}}`,
		`<simulationinfo><tags>a b</tags><bounds><hull><point>0 0 0</point></hull></bounds><convex><parts>3</parts></convex></simulationinfo>`,
		`{"Type":"JsonSerialization","ClassData":{"Tags":["a"],"Asset":{"assetId":{"guid":"{01234567-89AB-CDEF-0123-456789ABCDEF}","subId":1},"assetHint":"m.spawnable"}}}`,
		`<ObjectStream><Class><Class field="Tags"><Class field="element" value="a"/></Class><Class field="AssetId"><Class field="guid" value="x"/></Class></Class></ObjectStream>`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		info, unknown, err := parseSidecar(data, "m.sdf")
		if len(unknown) > maxUnknown {
			t.Fatalf("%d unknown keys are told", len(unknown))
		}
		if c := info.Convex; c.Parts < 0 || c.Parts > maxParts || !(c.Error >= 0) {
			t.Fatalf("meshes cut as %+v", c)
		}
		if err != nil || info.Bounds.Kind == scene.NoBounds {
			return
		}
		for _, p := range info.Bounds.Points {
			for _, v := range [...]float64{p.X, p.Y, p.Z} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("bounds with %v", v)
				}
			}
		}
	})
}
