//go:build unix

package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
)

func hostileMacros() hostiles {
	h := hostiles{}
	robot := func(name, says string, parts ...string) {
		h.alone(name, says, "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'><link name='a'/>",
			strings.Join(parts, ""), "</robot>")
	}
	doubling, properties := "<xacro:macro name='m40'><link name='x'/></xacro:macro>",
		"<xacro:property name='p0' value='xxxxxxxxxx'/>"
	for i := range 40 {
		doubling += fmt.Sprintf("<xacro:macro name='m%d'><xacro:m%d/><xacro:m%d/></xacro:macro>", i, i+1, i+1)
		properties += fmt.Sprintf("<xacro:property name='p%d' value='${p%d}${p%d}'/>", i+1, i, i)
	}
	robot("doubling.urdf.xacro", "more than 200000 elements", doubling, "<xacro:m0/>")
	robot("endless.urdf.xacro", "deeper than", "<xacro:macro name='m'><xacro:m/></xacro:macro><xacro:m/>")
	robot("text.urdf.xacro", "more than is allowed", properties, "<link name='${p40}'/>")
	robot("times.urdf.xacro", "more than is allowed", "<link name=\"${'x'*1000000000}\"/>")
	robot("power.urdf.xacro", "more than 64 bits", "<link name='${9**9**9**9}'/>")
	robot("range.urdf.xacro", "more than is allowed", "<link name='${len([x for x in range(1000000000)])}'/>")
	robot("brackets.urdf.xacro", "more than 20000 pieces", "<link name='${", strings.Repeat("(", 5_000_000),
		"}'/>")
	robot("self.urdf.xacro", "deeper than 32", "<xacro:include filename='self.urdf.xacro'/>")
	h["double0.urdf.xacro"] = twofold("deeper than 32", func(i int) (string, string) {
		return fmt.Sprintf("double%d.urdf.xacro", i),
			"<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'><link name='a'/>" +
				strings.Repeat(fmt.Sprintf("<xacro:include filename='double%d.urdf.xacro'/>", i+1), 2) +
				"</robot>"
	})
	robot("itself.urdf.xacro", "made from itself",
		"<xacro:property name='a' value='${b}'/><xacro:property name='b' value='${a}'/><link name='${a}'/>")
	robot("outside.urdf.xacro", "outside the search folders", "<xacro:include filename='/etc/passwd'/>")
	robot("calls.urdf.xacro", "more than 200000 elements",
		"<xacro:macro name='m'><link name='x'/></xacro:macro>", strings.Repeat("<xacro:m/>", 400_000))
	robot("yaml.urdf.xacro", "more than is allowed",
		"<xacro:property name='y' value=\"${xacro.load_yaml('b.yaml')}\"/><link name='${y}'/>")
	h["yaml.urdf.xacro"].files["b.yaml"] = yamlBomb()
	return h
}

// yamlBomb is a list of lists of lists by alias, 10^9 words in all.
func yamlBomb() string {
	text := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := range 9 {
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	return text
}

func hostileMaps() hostiles {
	h := hostiles{}
	of := func(name, says, picture, data string) {
		h[name] = hostile{says, map[string]string{name: "image: " + picture +
			"\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n",
			picture: data}}
	}
	var noise strings.Builder
	for y := range 5000 {
		noise.WriteString(strings.Repeat("\x00\xff", 2500)[y%2:] + "\x00\xff"[:y%2])
	}
	of("huge.yaml", "at most 36000000", "a.pgm", "P5\n100000 100000\n255\n")
	of("flat.yaml", "0 are there", "a.pgm", "P5\n6000 6000\n255\n")
	of("noise.yaml", "more than 100000 walls", "a.pgm", "P5\n5000 5000\n255\n"+noise.String())
	of("picture.yaml", "are unpacked", "a.png", emptyPNG(image.NewNRGBA(image.Rect(0, 0, 6000, 6000))))
	of("deep.yaml", "are unpacked", "a.png", emptyPNG(image.NewNRGBA64(image.Rect(0, 0, 5900, 5900))))
	of("out.yaml", "outside the search folders", "../../../../../../etc/passwd", "")
	h["out.yaml"] = hostile{h["out.yaml"].says,
		map[string]string{"out.yaml": h["out.yaml"].files["out.yaml"]}}
	h.alone("aliases.yaml", "a.pgm: not found", "image: a.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n",
		yamlBomb())
	h.alone("nested.yaml", "exceeded max depth", "image: a.pgm\nresolution: 0.05\norigin: ",
		strings.Repeat("[", 400_000))
	return h
}

// emptyPNG is a picture of nothing in a few kilobytes.
func emptyPNG(m image.Image) string {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m); err != nil {
		panic(err)
	}
	return b.String()
}

func hostileBundles() hostiles {
	const world = "version: \"1.0\"\nmetadata: metadata.json\ngeometry:\n  heightmap_bin: h.bin\n  heightmap_yaml: h.yaml\n  drivable_geojson: road.geojson\nsensors: {calibration: cal.yaml}\nsim: {timebase: time.yaml}\n"
	whole := func(name, says string, other ...string) hostile {
		files := map[string]string{name: world,
			"metadata.json": `{"scene_id": "yard", "coordinate_system": "ENU", "spatial_extent": {"min": [0, 0, 0], "max": [20, 15, 3]}}`,
			"h.yaml":        "width: 2\nheight: 2\nresolution: 5\norigin: {x: 0, y: 0, z: 0}\nmin_height: 0\nmax_height: 4\n",
			"h.bin":         strings.Repeat("\x00", 16), "cal.yaml": "cameras: {}\n",
			"time.yaml":    "dt: 0.005\n",
			"road.geojson": `{"type": "FeatureCollection", "features": []}`}
		for i := 0; i < len(other); i += 2 {
			files[other[i]] = other[i+1]
		}
		return hostile{says, files}
	}
	lidars := each(50_000, "  - {id: l%d, channels: 100000, horizontal_resolution: 0.0001, vertical_fov: [-15, 15], min_range: 0.9, max_range: 80, extrinsics: {translation: {x: 0, y: 0, z: 2}, quaternion: [0, 0, 0, 1]}}\n")
	return hostiles{
		"b1.yaml": whole("b1.yaml", "from 2 to 32768", "h.yaml",
			"width: 1000000000\nheight: 1000000000\nresolution: 5\norigin: {x: 0, y: 0, z: 0}\n"),
		"b2.yaml": whole("b2.yaml", "file too large", "cal.yaml", "lidars:\n"+lidars),
		"b3.yaml": whole("b3.yaml", "", "cal.yaml", yamlBomb()),
		"b4.yaml": whole("b4.yaml", "exceeded max depth", "road.geojson",
			strings.Repeat(`{"type":[`, 500_000)),
		"b5.yaml": whole("b5.yaml", "more than 500000 corners", "road.geojson",
			`{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[`+
				each(600_000, "[%d,0],")+`[0,1]]]}}]}`),
		"b6.yaml": whole("b6.yaml", "not a finite number", "time.yaml", "dt: .nan\n"),
		"b7.yaml": whole("b7.yaml", "file too large", "metadata.json", strings.Repeat(`{"a":`, 1_000_000)),
	}
}

func hostilePrefabs() hostiles {
	h := hostiles{}
	const container = `"ContainerEntity": {"Name": "C", "Components": {}}`
	h.alone("deep.prefab", "deeper than 100", "{", container, `, "Entities": `,
		strings.Repeat(`{"a":`, 1_000_000))
	h.alone("many.prefab", "more than 300000 values", "{", container, `, "Entities": {`,
		each(200_000, `"e%d": {"Name": "e%d", "Components": {}},`), `"x": {}}}`)
	h.alone("self.prefab", "includes itself", "{", container, `, "Entities": {}, "Instances": {`,
		each(100, `"i%d": {"Source": "self.prefab"},`), `"x": {"Source": "self.prefab"}}}`)
	bomb := map[string]string{}
	for i := range 20 {
		name := fmt.Sprintf("bomb%d.prefab", i)
		bomb[name] = "{" + container + `, "Entities": {}, "Instances": {` +
			strings.TrimSuffix(each(10, fmt.Sprintf(`"i%%d": {"Source": "bomb%d.prefab"},`, i+1)), ",") + `}}`
	}
	h["bomb0.prefab"] = hostile{"more than 5000 prefabs", bomb}
	h.alone("patches.prefab", "nothing to simulate", "{", container,
		`, "Entities": {}, "Instances": {"i": {"Source": "none.prefab", "Patches": [`,
		strings.Repeat(`{"op": "add", "path": "/a/b/c", "value": {}},`, 70_000), `{}]}}}`)
	return h
}

// hostileMeshes are robots of one mesh.
func hostileMeshes() hostiles {
	h := hostiles{}
	of := func(name, says, mesh, data string) {
		h[name] = hostile{says, map[string]string{name: "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><mesh filename='" +
			mesh + "'/></geometry></collision></link></robot>", mesh: data}}
	}
	var points, faces strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&points, "v %d %d %d\n", i*7919%1009, i*104729%1013, i*1299709%1019)
		fmt.Fprintf(&faces, "f %d %d %d\n", i+1, (i*31)%20_000+1, (i*17)%20_000+1)
	}
	var soup strings.Builder
	soup.WriteString(strings.Repeat("x", 80) + "\x40\x0d\x03\x00") // 200,000 triangles
	random := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		var t [50]byte
		for k := range 9 {
			binary.LittleEndian.PutUint32(t[12+4*k:], math.Float32bits(random.Float32()))
		}
		soup.Write(t[:])
	}
	of("soup.urdf", "", "a.stl", soup.String())
	of("sliver.urdf", "must be within 100000 m", "a.obj",
		"v 0 0 0\nv 1e300 0 0\nv 0 1e-300 0\nv 0 0 1e300\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n")
	of("flat.urdf", "lie on one line", "a.obj",
		strings.ReplaceAll(points.String(), " ", " 0 ")+faces.String())
	of("instances.urdf", "", "a.dae",
		`<COLLADA version="1.4.1"><library_geometries><geometry id="g"><mesh><source id="s"><float_array count="9" id="f">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source="#f" count="3" stride="3"/></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="w">`+
			strings.Repeat(`<node><instance_geometry url="#g"/></node>`, 150_000)+
			`</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>`)
	return h
}

// hostilePictures are worlds with pictures that are large only once they are read.
func hostilePictures() hostiles {
	textured := func(name string, files map[string]string, pictures ...string) hostile {
		text := ""
		for i, p := range pictures {
			text += fmt.Sprintf("<visual name='v%d'><geometry><box><size>1 1 1</size></box></geometry><material><pbr><metal><albedo_map>%s</albedo_map></metal></pbr></material></visual>",
				i, p)
		}
		files[name] = "<sdf version='1.9'><model name='m'><link name='l'>" + text + "</link></model></sdf>"
		return hostile{"", files}
	}
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewYCbCr(image.Rect(0, 0, 4096, 4096), image.YCbCrSubsampleRatio444),
		&jpeg.Options{Quality: 10}); err != nil {
		panic(err)
	}
	return hostiles{
		"photo.sdf": textured("photo.sdf", map[string]string{"a.jpg": photo.String()}, "a.jpg"),
		"large.sdf": textured("large.sdf",
			map[string]string{"a.png": emptyPNG(image.NewNRGBA64(image.Rect(0, 0, 4096, 4096)))}, "a.png"),
		"huge.sdf": textured("huge.sdf", map[string]string{"a.pgm": "P5\n1000000 1000000\n65535\n"},
			"a.pgm"),
	}
}
