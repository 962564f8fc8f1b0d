package engine_test

import (
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// vacuum stands on its hull; its bumper touches nothing. BUMPER are attributes of the bumper's collision,
// NAMED is the collision that the sensor is of.
const vacuum = `<robot name="vac"><link name="base_footprint"/>
<link name="base_link"><inertial><origin xyz="0 0 0.05"/><mass value="5"/><inertia ixx="0.05" iyy="0.07" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="0 0 0.05"/><geometry><box size="0.4 0.3 0.1"/></geometry></collision></link>
<link name="front"><collision BUMPER><origin xyz="0.22 0 0.1"/><geometry><box size="0.02 0.3 0.05"/></geometry></collision></link>
<joint name="base_fixed" type="fixed"><parent link="base_footprint"/><child link="base_link"/></joint>
<joint name="a_front" type="fixed"><parent link="base_link"/><child link="front"/></joint>KEPT
<gazebo reference="base_link"><sensor name="bump" type="contact"><update_rate>20</update_rate><contact><collision>NAMED</collision></contact></sensor></gazebo></robot>`

// The names are what Gazebo's converter of URDF (sdformat, parser_urdf.cc) calls collisions.
func TestContactSensorsSeeTheCollisionsThatGazeboNames(t *testing.T) {
	const hull = "vac::base_link::base_footprint_fixed_joint_lump__base_link_collision"
	keep := `<gazebo reference="a_front"><preserveFixedJoint>true</preserveFixedJoint></gazebo>`
	for _, c := range []struct{ bumper, kept, named, feels, note string }{
		{named: "base_footprint_fixed_joint_lump__base_link_collision", feels: hull},
		{named: "base_footprint_fixed_joint_lump__front_collision_1"},
		{named: "vac::base_footprint::base_footprint_fixed_joint_lump__front_collision_1"},
		{bumper: `name="rubber"`, named: "base_footprint_fixed_joint_lump__rubber_collision_1"},
		{bumper: `name="rubber"`, named: "rubber"},
		{bumper: `name="rubber"`, named: "rubber_collision"},
		{named: "front_collision"},
		{named: "base_link_collision", feels: hull},
		{named: "base_footprint_collision_front"}, // of Gazebo up to 5
		{named: "base_footprint_collision", feels: hull},
		{kept: keep, named: "front_collision"},
		{named: "", feels: hull}, // nothing named: all of the link
		{named: "base_footprint_fixed_joint_lump__wheel_collision", note: "wheel"},
		{kept: keep, named: "base_footprint_fixed_joint_lump__front_collision_1", note: "front_collision_1"},
	} {
		w, err := engine.NewWorld(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		do(t, w, sim.LoadWorld{Resource: scene.Resource{URI: "empty"}})
		do(t, w, sim.SetState{State: sim.Playing})
		do(t, w, sim.Spawn{Name: "vac", Resource: scene.Resource{Document: strings.NewReplacer("BUMPER", c.bumper,
			"KEPT", c.kept, "NAMED", c.named).Replace(vacuum)}})
		advance(t, w, 100)
		s := w.Snapshot()
		i, _ := s.Find("vac")
		got := s.SamplesOf(i)[0].Data.(*sim.ContactReadings)
		switch {
		case c.feels == "" && len(got.Contacts) > 0:
			t.Errorf("%+v: feels %+v, want nothing", c, got.Contacts)
		case c.feels != "" && (len(got.Contacts) != 1 || got.Contacts[0].Own != c.feels):
			t.Errorf("%+v: feels %+v", c, got.Contacts)
		}
		noted := ""
		for _, n := range s.Model.Entities[i].Notes {
			if strings.Contains(n.Text, "no collision") {
				noted = n.Text
			}
		}
		if (noted != "") != (c.note != "") || !strings.Contains(noted, c.note) {
			t.Errorf("%+v: note %q", c, noted)
		}
	}
}
