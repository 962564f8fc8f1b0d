package mesh

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

func coded(t testing.TB) []*Mesh {
	t.Helper()
	var out []*Mesh
	for name, text := range map[string]string{
		"a.dae": painted, "b.obj": squares, "c.stl": binaryTriangles("", 9, 10),
		"d.gltf": gltfText(`{"attributes":{"POSITION":0},"indices":1,"material":0}`, plainNode,
			`,"materials":[{"doubleSided":true,"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[{"source":1}],"images":[{},{"uri":"data:image/png;base64,QUJD"}]`),
	} {
		m, err := Decode(name, []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, m)
	}
	return out
}

func TestAMeshIsTheSameAfterItWasWrittenAndRead(t *testing.T) {
	for _, m := range coded(t) {
		data := Append(nil, m)
		got, err := Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("%+v was read as %+v", m, got)
		}
		for i := range data {
			if _, err := Parse(data[:i]); !errors.Is(err, ErrCode) {
				t.Fatalf("the first %d of %d bytes: %v", i, len(data), err)
			}
		}
		if _, err := Parse(append(data, 0)); !errors.Is(err, ErrCode) {
			t.Errorf("a byte too many: %v", err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, m := range coded(f) {
		f.Add(Append(nil, m))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data)
		if err != nil {
			return
		}
		sound(t, m)
		if !bytes.Equal(Append(nil, m), data) {
			t.Error("written again it is another")
		}
	})
}
