package gazebo

import (
	"testing"

	"simdeck/sim/scene"
)

const ogre = `// a comment with { braces }
import * from "base.material"
material Vendor/Base {
  technique {
    pass { ambient 0.1 0.2 0.3
      diffuse 0.5 0.6 0.7 0.8 // half
      specular 0.9 0.9 0.9 1 12.5
      texture_unit { texture wood.png 2d
        filtering anisotropic }
      texture_unit { texture other.png } }
    pass { diffuse 1 1 1 }
  }
}
material Vendor/Child : Vendor/Base
{
  technique { pass { emissive 1 0 0 } }
}
material Broken {
  technique { pass { diffuse 1 0 0 }
`

func TestMaterialScriptsGiveColoursAndTextures(t *testing.T) {
	base := scene.Material{Name: "Vendor/Base", Ambient: [4]float32{0.1, 0.2, 0.3, 1},
		Colour:   [4]float32{0.5, 0.6, 0.7, 0.8},
		Specular: [4]float32{0.9, 0.9, 0.9, 1}, Shininess: 12.5, Texture: "wood.png"}
	if m, ok := Script(ogre, "Vendor/Base"); !ok || m != base {
		t.Errorf("%+v %v", m, ok)
	}
	child := base
	child.Name, child.Emissive = "Vendor/Child", [4]float32{1, 0, 0, 1}
	if m, ok := Script(ogre, "Vendor/Child"); !ok || m != child {
		t.Errorf("%+v %v", m, ok)
	}
	for _, name := range []string{"Vendor", "Broken", "", "pass"} {
		if m, ok := Script(ogre, name); ok {
			t.Errorf("%q: %+v", name, m)
		}
	}
	if _, ok := Script("material A : A { technique { pass { } } }", "A"); !ok {
		t.Error("a material that inherits from itself")
	}
}

func FuzzScript(f *testing.F) {
	f.Add(ogre, "Vendor/Child")
	f.Add("material A:A{}", "A")
	f.Add("material a{pass{diffuse 1 1", "a")
	f.Fuzz(func(t *testing.T, text, name string) {
		m, _ := Script(text, name)
		for _, c := range [][4]float32{m.Colour, m.Ambient, m.Specular, m.Emissive} {
			for _, v := range c {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("colour %v", c)
				}
			}
		}
	})
}
