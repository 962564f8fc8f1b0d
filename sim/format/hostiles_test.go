//go:build unix

package format

import (
	"fmt"
	"maps"
	"strings"
)

// hostile is files that ask for too much, and what the answer has to say; empty: they load.
type hostile struct {
	says  string
	files map[string]string
}

// hostiles are by the file that is read.
type hostiles map[string]hostile

// alone adds a file that needs no others.
func (h hostiles) alone(name, says string, text ...string) {
	h[name] = hostile{says, map[string]string{name: strings.Join(text, "")}}
}

// each repeats a text n times, with the numbers in place of %d.
func each(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// everyHostile is files that ask for more than a machine has, lead in circles or out of the folders, for each
// reader.
func everyHostile() hostiles {
	all := hostiles{}
	for _, some := range []hostiles{hostileXML(), hostileURDF(), hostileSDF(), hostileIncludes(),
		hostileMacros(), hostileMJCF(), hostileWebots(), hostileMaps(), hostileBundles(), hostilePrefabs(),
		hostileMeshes(), hostilePictures()} {
		maps.Copy(all, some)
	}
	return all
}

// roots are the begin and the end of files of each XML format.
var roots = [][3]string{
	{".urdf", "<robot name='r'>", "</robot>"},
	{".sdf", "<sdf version='1.9'><model name='m'>", "</model></sdf>"},
	{".xml", "<mujoco><worldbody>", "</worldbody></mujoco>"},
	{".urdf.xacro", "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>", "</robot>"},
}

func hostileXML() hostiles {
	h := hostiles{}
	for _, r := range roots {
		ext, head, tail := r[0], r[1], r[2]
		h.alone("deep"+ext, "nested deeper than 256", head, strings.Repeat("<link>", 500_000))
		h.alone("laughs"+ext, "entities are not expanded",
			`<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>`, head, "&b;", tail)
	}
	head, tail := roots[0][1], roots[0][2]
	h.alone("many.urdf", "more than 500000 elements", head, strings.Repeat("<a/>", 500_001), tail)
	h.alone("few.urdf", "no <link>", head, strings.Repeat("<a/>", 499_990), tail)
	h.alone("cut.urdf", "the text ends inside", head, strings.Repeat("<link name='l'></link>", 200_000))
	h.alone("large.urdf", "at most 67108864 are read", head, strings.Repeat("x", 64<<20), tail)
	h.alone("comment.urdf", "comment is never closed", head, "<!--", strings.Repeat("<!-- ", 5_000_000))
	h.alone("attributes.urdf", "more than 256 attributes", "<robot ", each(1_000_000, "a%d='' "), "/>")
	h.alone("letters.urdf", "", head, "<link name='l'><a>", strings.Repeat("&#65;", 6_000_000), "</a></link>",
		tail)
	h.alone("wide.urdf", "", head+"<link name='l'><a>"+strings.Repeat("<!-- -- -->x", 500_000)+"</a></link>"+
		tail)
	return h
}

func hostileURDF() hostiles {
	const mass = `<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>`
	h := hostiles{}
	robot := func(name, says string, parts ...string) {
		h.alone(name, says, "<robot name='r'>", strings.Join(parts, ""), "</robot>")
	}
	robot("sensors.urdf", "tenths of sensors", `<link name="a">`, mass, `</link>`,
		each(50_000, `<gazebo reference="a"><sensor name="s%d" type="ray"><ray><scan><horizontal><samples>1000000000</samples></horizontal></scan></ray></sensor></gazebo>`))
	robot("links.urdf", "more than 30000 links", each(200_000, `<link name="l%d"/>`))
	robot("shapes.urdf", "", `<link name="a">`, mass,
		each(79_000, `<collision name="c%d"><geometry><sphere radius="1"/></geometry></collision>`),
		`</link>`)
	robot("twins.urdf", "a second link", strings.Repeat(`<link name="l"/>`, 200_000))
	robot("ring.urdf", "every link is the child of a joint", each(25_000, `<link name="l%d"/>`),
		ring(25_000, `<joint name="j%d" type="fixed"><parent link="l%d"/><child link="l%d"/></joint>`))
	robot("mimics.urdf", "follows itself", `<link name="r"/>`, each(20_000, `<link name="l%d"/>`),
		ring(20_000, `<joint name="j%d" type="continuous"><parent link="r"/><child link="l%d"/><mimic joint="j%d"/></joint>`))
	robot("chain.urdf", "", each(25_000, `<link name="l%d"/>`),
		strings.Replace(ring(25_000, `<joint name="j%d" type="continuous"><parent link="l%d"/><child link="l%d"/></joint>`),
			`<child link="l0"/>`, `<child link="r"/>`, 1), `<link name="r"/>`)
	robot("out.urdf", "", `<link name="a">`, mass,
		each(20_000, `<visual><geometry><mesh filename="../../../../../../etc/%d.stl"/></geometry></visual>`),
		`</link>`)
	robot("nan.urdf", "is not a finite number",
		`<link name="a"><inertial><mass value="nan"/></inertial></link>`)
	return h
}

// ring repeats a text n times with %[1]d the number and %[2]d, %[3]d the next one, the last followed by the
// first.
func ring(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, strings.TrimSuffix(format, "\n"), i, i, (i+1)%n)
	}
	return b.String()
}
