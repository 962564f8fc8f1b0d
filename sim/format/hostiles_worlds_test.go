//go:build unix

package format

import (
	"fmt"
	"strings"
)

func hostileSDF() hostiles {
	h := hostiles{}
	world := func(name, says string, parts ...string) {
		h.alone(name, says, "<sdf version='1.11'><world name='w'>", strings.Join(parts, ""), "</world></sdf>")
	}
	model := func(name, says string, parts ...string) {
		world(name, says, "<model name='m'>", strings.Join(parts, ""), "</model>")
	}
	link := func(name, says string, parts ...string) {
		model(name, says, "<link name='l'>", strings.Join(parts, ""), "</link>")
	}
	model("frames.sdf", "is given relative to itself", "<link name='l'/>",
		ring(50_000, "<frame name='f%[1]d'><pose relative_to='f%[3]d'/></frame>"))
	world("population.sdf", "", "<population name='p'><model_count>1000000000</model_count><distribution><type>random</type></distribution><pose>0 0 0 0 0 0</pose><box><size>1 1 1</size></box>",
		"<model name='x'><link name='l'/></model></population>")
	link("polyline.sdf", "", "<collision name='c'><geometry><polyline><height>1</height>",
		each(200_000, "<point>%d 0</point>"), "</polyline></geometry></collision>")
	link("comb.sdf", "", "<collision name='c'><geometry><polyline><height>1</height>",
		each(20_000, "<point>%d 0</point><point>%d.5 9</point>"),
		"<point>9 99</point></polyline></geometry></collision>")
	world("models.sdf", "more than 30000 links", each(60_000, "<model name='m%d'><link name='l'/></model>"))
	world("fewer.sdf", "", each(25_000, "<model name='m%d'><link name='l'/></model>"))
	world("nested.sdf", "nested deeper", strings.Repeat("<model name='m'><link name='l'/>", 300),
		strings.Repeat("</model>", 300))
	world("lights.sdf", "more than 80000", each(200_000, "<light name='l%d' type='point'/>"))
	world("actors.sdf", "", "<actor name='a'><script><trajectory id='0' type='walk'>",
		each(150_000, "<waypoint><time>%d</time><pose>0 0 0 0 0 0</pose></waypoint>"),
		"</trajectory></script></actor>")
	model("joints.sdf", "more than 80000", "<link name='a'/><link name='b'/>",
		each(100_000, "<joint name='j%d' type='fixed'><parent>a</parent><child>b</child></joint>"))
	link("lasers.sdf", "tenths of sensors",
		each(20_000, "<sensor name='s%d' type='gpu_lidar'><lidar><scan><horizontal><samples>2000000000</samples></horizontal><vertical><samples>2000000000</samples></vertical></scan></lidar></sensor>"))
	world("poses.sdf", "", each(100_000, "<simdeck:named_pose xmlns:simdeck='x' name='p%d'/>"))
	link("nan.sdf", "is not a finite number", "<pose>0 0 nan 0 0 0</pose>")
	link("plugins.sdf", "fifths of plugins", "</link>",
		each(100_000, "<plugin name='p%d' filename='libgazebo_ros_diff_drive.so'><left_joint>j</left_joint></plugin>"),
		"<link name='k'>")
	return h
}

// hostileIncludes lead in circles, and grow by a factor with each file.
func hostileIncludes() hostiles {
	include := func(name, model string) string {
		return fmt.Sprintf("<include><name>%s</name><uri>model://%s</uri></include>", name, model)
	}
	world := func(text string) string {
		return "<sdf version='1.9'><world name='w'>" + text +
			"</world></sdf>"
	}
	model := func(text string) string {
		return "<sdf version='1.9'><model name='m'>" + text +
			"</model></sdf>"
	}
	bomb := map[string]string{"bomb.sdf": world(include("a", "m0")),
		"m9/model.sdf": model("<link name='l'/>")}
	circle := map[string]string{"circle.sdf": world(include("a", "r0"))}
	for i := range 9 {
		bomb[fmt.Sprintf("m%d/model.sdf", i)] = model(each(10, include("n%d", fmt.Sprintf("m%d", i+1))))
	}
	for i := range 30 {
		circle[fmt.Sprintf("r%d/model.sdf", i)] = model(include("x", fmt.Sprintf("r%d", (i+1)%30)))
	}
	absent := map[string]string{"absent.sdf": world(each(4000, include("n%d", "nowhere%d")))}
	return hostiles{"bomb.sdf": {"", bomb}, "circle.sdf": {"includes itself", circle},
		"absent.sdf": {"", absent}}
}

// twofold is forty files each of which names the next one twice.
func twofold(says string, file func(i int) (name, text string)) hostile {
	h := hostile{says, map[string]string{}}
	for i := range 40 {
		name, text := file(i)
		h.files[name] = text
	}
	return h
}

func hostileMJCF() hostiles {
	h := hostiles{}
	bodies := func(name, says string, parts ...string) {
		h.alone(name, says, "<mujoco><worldbody>", strings.Join(parts, ""), "</worldbody></mujoco>")
	}
	const ball = "<body><freejoint/><geom size='1'/></body>"
	bodies("copies.xml", "copies", "<replicate count='1000000000'>", ball, "</replicate>")
	bodies("nested.xml", "more than", strings.Repeat("<replicate count='1000'>", 10), ball,
		strings.Repeat("</replicate>", 10))
	bodies("nothing.xml", "more than", strings.Repeat("<replicate count='1000'>", 10), "<a/>",
		strings.Repeat("</replicate>", 10))
	bodies("bodies.xml", "more than 80000", strings.Repeat(ball, 60_000))
	bodies("geoms.xml", "more than 50000 shapes", "<body>", strings.Repeat("<geom size='1'/>", 90_000),
		"</body>")
	bodies("joints.xml", "", "<body><geom size='1'/>", strings.Repeat("<joint/>", 50_000), "</body>")
	bodies("rays.xml", "tenths of sensors", "<body><geom size='1'/>", each(100_000, "<site name='s%d'/>"),
		"</body></worldbody><sensor>", each(100_000, "<rangefinder site='s%d'/>"), "</sensor><worldbody>")
	h["double0.xml"] = twofold("deeper than 32", func(i int) (string, string) {
		return fmt.Sprintf("double%d.xml", i),
			"<mujoco>" + strings.Repeat(fmt.Sprintf("<include file='double%d.xml'/>", i+1), 2) +
				"<worldbody><geom size='1'/></worldbody></mujoco>"
	})
	h.alone("self.xml", "includes itself", "<mujoco><include file='self.xml'/></mujoco>")
	h.alone("field.xml", "1000000 in all are read",
		"<mujoco><asset><hfield name='h' nrow='1000000000' ncol='1000000000' size='1 1 1 1'/></asset><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>")
	h.alone("texture.xml", "", "<mujoco><asset><texture name='t' type='2d' builtin='checker' width='1000000000' height='1000000000'/><material name='m' texture='t'/></asset><worldbody><geom size='1' material='m'/></worldbody></mujoco>")
	h.alone("points.xml", "", "<mujoco><asset><mesh name='m' vertex='", strings.Repeat("0 1 2 ", 1_000_000),
		"'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>")
	h.alone("keys.xml", "", "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody><keyframe>",
		strings.Repeat("<key qpos='0 0 0 1 0 0 0'/>", 200_000), "</keyframe></mujoco>")
	h.alone("classes.xml", "more than 80000", "<mujoco><default>",
		each(100_000, "<default class='c%d'><geom size='2'/></default>"),
		"</default><worldbody><geom class='c1' size='1'/></worldbody></mujoco>")
	h.alone("nan.xml", "is not a finite number", "<mujoco><worldbody><geom size='nan'/></worldbody></mujoco>")
	return h
}

func hostileWebots() hostiles {
	const head = "#VRML_SIM R2023b utf8\nWorldInfo {}\n"
	h := hostiles{}
	world := func(name, says string, parts ...string) { h.alone(name, says, head, strings.Join(parts, "")) }
	uses := "DEF A0 Group { children [ Solid { boundingObject Sphere {} } ] }\n"
	for i := range 30 {
		uses += fmt.Sprintf("DEF A%d Group { children [ %s ] }\n", i+1,
			strings.Repeat(fmt.Sprintf("USE A%d ", i), 10))
	}
	world("uses.wbt", "more links than", uses)
	world("deep.wbt", "deeper than", strings.Repeat("Group { children [ ", 200_000))
	world("open.wbt", "never ends", "Solid { name \"", strings.Repeat("x", 20_000_000))
	world("solids.wbt", "more than 400000 nodes and fields",
		each(100_000, "Solid { name \"s%d\" physics Physics {} boundingObject Sphere {} }\n"))
	world("twins.wbt", "", each(30_000, "Solid { name \"s\" physics Physics {} boundingObject Sphere {} }\n"))
	world("grid.wbt", "", "Solid { boundingObject ElevationGrid { xDimension 1000000000 yDimension 1000000000 height [ 1 ] } }")
	world("numbers.wbt", "more than 3000000 numbers",
		"Solid { boundingObject ElevationGrid { xDimension 1000 yDimension 1000 height [",
		strings.Repeat("1 ", 9_000_000), "] } }")
	world("faces.wbt", "", "Solid { boundingObject Mesh {} children [ Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [",
		strings.Repeat("0 1 2 ", 900_000), "-1 ] } } ] }")
	world("robots.wbt", "tenths of sensors",
		each(20_000, "Robot { name \"r%d\" children [ Lidar { horizontalResolution 1000000000 numberOfLayers 1000000 } ] }\n"))
	world("cut.wbt", ", want ", strings.Repeat("Solid { ", 100))
	protos := twofold("deeper than 32", func(i int) (string, string) {
		return fmt.Sprintf("D%d.proto", i),
			fmt.Sprintf("#VRML_SIM R2023b utf8\nEXTERNPROTO \"D%d.proto\"\nPROTO D%d [] { Group { children [ D%d {} D%d {} ] } }\n",
				i+1, i, i+1, i+1)
	})
	protos.files["double.wbt"] = head + "EXTERNPROTO \"D0.proto\"\nD0 {}\n"
	h["double.wbt"] = protos
	h["proto.wbt"] = hostile{"contains itself",
		map[string]string{"proto.wbt": head + "EXTERNPROTO \"A.proto\"\nA {}\n",
			"A.proto": "#VRML_SIM R2023b utf8\nEXTERNPROTO \"B.proto\"\nPROTO A [] { B {} }\n",
			"B.proto": "#VRML_SIM R2023b utf8\nEXTERNPROTO \"A.proto\"\nPROTO B [] { Group { children [ A {} A {} ] } }\n"}}
	h["out.wbt"] = hostile{"", map[string]string{"out.wbt": head +
		"EXTERNPROTO \"../../../../etc/passwd.proto\"\nEXTERNPROTO \"https://example.com/x.proto\"\nSolid { children [ passwd {} x {} ] }\n"}}
	return h
}
