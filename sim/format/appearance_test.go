package format

import (
	"bytes"
	"image"
	"image/png"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/scene"
)

func TestMeshesBringTheirPalettesAndPictures(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 4, 2))); err != nil {
		t.Fatal(err)
	}
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s), Mode: 0o644} }
	lib := NewLibrary(Config{Roots: []asset.Root{{Name: "r", FS: fstest.MapFS{
		"m/model.sdf": file(`<sdf version="1.9"><model name="m"><static>true</static><link name="l">
<visual name="a"><geometry><mesh><uri>meshes/a.obj</uri></mesh></geometry></visual>
<visual name="b"><geometry><box><size>1 1 1</size></box></geometry><material><pbr><metal><albedo_map>materials/textures/x.png</albedo_map></metal></pbr></material></visual>
<visual name="c"><transparency>0.5</transparency><cast_shadows>false</cast_shadows><geometry><box><size>1 1 1</size></box></geometry>
<material><ambient>1 0 0 1</ambient><specular>0 1 0 1</specular><emissive>0 0 1 1</emissive></material></visual>
</link></model></sdf>`),
		"m/meshes/a.obj":             file("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl wood\nf 1 2 3\n"),
		"m/meshes/a.mtl":             file("newmtl wood\nKd 1 1 1\nmap_Kd ../elsewhere/x.png\n"),
		"m/materials/textures/x.png": {Data: b.Bytes(), Mode: 0o644},
	}}}})
	spec, err := lib.Model(scene.Resource{URI: "spawnable://r/m/model.sdf"})
	if err != nil {
		t.Fatal(err)
	}
	v := spec.Links[0].Visuals
	if look := v[0].Mesh.Looks[0].Material; look.Name != "wood" || look.Image == nil {
		t.Errorf("the look of the mesh is %+v, want wood with the picture from the model.s folder of textures",
			look)
	}
	if m := v[1].Material; m.Image == nil || m.Image.Levels[0].Width != 4 ||
		m.Colour != [4]float32{1, 1, 1, 1} {
		t.Errorf("the albedo map is %+v", m)
	}
	if m := v[2].Material; m.Colour != [4]float32{1, 0, 0, 0.5} || m.Specular != [4]float32{0, 1, 0, 1} ||
		m.Emissive != [4]float32{0, 0, 1, 1} || !v[2].NoShadow {
		t.Errorf("the half clear box is %+v", m)
	}
}
