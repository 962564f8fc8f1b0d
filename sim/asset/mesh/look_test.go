package mesh

import (
	"slices"
	"testing"

	"simdeck/sim/scene"
)

const painted = `<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_images><image id="img"><init_from>wood.png</init_from></image></library_images>
<library_effects>
<effect id="e1"><profile_COMMON>
<newparam sid="surf"><surface type="2D"><init_from>img</init_from></surface></newparam>
<newparam sid="samp"><sampler2D><source>surf</source></sampler2D></newparam>
<technique sid="c"><lambert><diffuse><texture texture="samp" texcoord="UV"/></diffuse></lambert></technique></profile_COMMON></effect>
<effect id="e2"><profile_COMMON><technique sid="c"><phong><emission><color>0 0 0 1</color></emission>
<diffuse><color>0.1 0.2 0.3 1</color></diffuse><specular><color>1 1 1 1</color></specular><shininess><float>50</float></shininess></phong></technique></profile_COMMON></effect>
</library_effects>
<library_materials><material id="m1" name="wood"><instance_effect url="#e1"/></material><material id="m2" name="paint"><instance_effect url="#e2"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
<source id="n"><float_array id="na" count="3">0 0 1</float_array><technique_common><accessor source="#na" count="1" stride="3"/></technique_common></source>
<source id="t"><float_array id="ta" count="8">0 0 1 0 1 1 0 1</float_array><technique_common><accessor source="#ta" count="4" stride="2"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="s1" count="1"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/><input semantic="TEXCOORD" source="#t" offset="2"/>
<vcount>4</vcount><p>0 0 0 1 0 1 2 0 2 3 0 3</p></polylist>
<triangles material="s2" count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><matrix>0 0 2 0 0 1 0 0 -1 0 0 0 0 0 0 1</matrix>
<instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="s1" target="#m1"/><instance_material symbol="s2" target="#m2"/></technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`

func TestColladaKeepsMaterialsNormalsAndTextureCoordinates(t *testing.T) {
	m, err := Decode("a.dae", []byte(painted))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Triangles) != 3 || len(m.Corners) != 3 || len(m.Looks) != 2 {
		t.Fatalf("%d triangles, %d corners, %d looks; want 3, 3, 2", len(m.Triangles), len(m.Corners),
			len(m.Looks))
	}
	wood, paint := m.Looks[0], m.Looks[1]
	if wood.First != 0 || wood.Material.Texture != "wood.png" || wood.Material.Name != "wood" {
		t.Errorf("the first look is %+v, want wood with wood.png", wood)
	}
	if paint.First != 2 || paint.Material.Colour != [4]float32{0.1, 0.2, 0.3, 1} ||
		paint.Material.Shininess != 50 {
		t.Errorf("the second look is %+v", paint)
	}
	for i, want := range [][3][2]float32{{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}} {
		for k := range want {
			if c := m.Corners[i][k]; c.UV != want[k] || c.Normal != [3]float32{1, 0, 0} {
				t.Errorf("corner %d of triangle %d is %+v, want %v and the normal turned to x", k, i, c,
					want[k])
			}
		}
	}
	if m.Corners[2] != [3]scene.Corner{} {
		t.Errorf("the triangle without attributes has %v", m.Corners[2])
	}
}

const squares = `mtllib some thing.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 0 1
o one
usemtl red
f 1/1/1 2/2/1 3/3/1 4/4/1
o two
f 1 2 3
usemtl blue
f -4//-1 -2//-1 -1//-1
`

func TestOBJKeepsMaterialsNormalsAndTextureCoordinates(t *testing.T) {
	m, err := Decode("a.obj", []byte(squares))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Palettes, []string{"some thing.mtl"}) || len(m.Corners) != 4 || len(m.Looks) != 2 {
		t.Fatalf("palettes %q, %d corners, looks %+v", m.Palettes, len(m.Corners), m.Looks)
	}
	if m.Corners[1][2].UV != [2]float32{0, 1} || m.Corners[3][0].Normal != [3]float32{0, 0, 1} ||
		m.Corners[2] != [3]scene.Corner{} {
		t.Errorf("corners are %+v", m.Corners)
	}
	part, ok := m.Named("two")
	if !ok || len(part.Looks) != 2 || part.Looks[0].Material.Name != "red" || part.Looks[1].First != 1 ||
		len(part.Corners) != 2 {
		t.Errorf("the part is %+v: want a red triangle, then a blue one", part)
	}
}

func TestAPaletteIsRead(t *testing.T) {
	got := Palette([]byte("# x\nnewmtl red\nKd 1 0 0\nNs 20\nd 0.5\nnewmtl wood\nmap_Kd -s 1 1 1 a/wood.png\nKd x 1 1\nnewmtl glass\nTr 0.25\nKd 0 0 1\n"))
	if r := got["red"]; r.Colour != [4]float32{1, 0, 0, 0.5} || r.Shininess != 20 {
		t.Errorf("red is %+v", r)
	}
	if w := got["wood"]; w.Texture != "a/wood.png" || w.Colour != [4]float32{} {
		t.Errorf("wood is %+v", w)
	}
	if g := got["glass"]; g.Colour != [4]float32{0, 0, 1, 0.75} {
		t.Errorf("glass is %+v", g)
	}
}
