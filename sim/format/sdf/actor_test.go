package sdf

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// TestAnActorIsWhatStandsInItsLinks: the box of Gazebo's own tutorial has no skin, and all of it is in a
// link.
func TestAnActorIsWhatStandsInItsLinks(t *testing.T) {
	w, err := World(open(t, `<sdf version="1.7"><world name="w"><actor name="animated_box">
		<link name="link"><pose>0 0 1 0 0 0</pose><visual name="v"><pose>0.5 0 0 0 0 0</pose><geometry><box><size>.2 .2 .2</size></box></geometry></visual>
			<sensor name="eye" type="camera"><pose>0 0 0.1 0 0 0</pose><camera/></sensor></link>
		<link name="hat"><pose relative_to="link">0 0 1 0 0 0</pose><collision name="c"><geometry><sphere><radius>.2</radius></sphere></geometry></collision></link>
		<script><trajectory id="0" type="square"><waypoint><time>0</time><pose>-1 -1 1 0 0 0</pose></waypoint><waypoint><time>1</time><pose>-1 1 1 0 0 0</pose></waypoint></trajectory></script>
		</actor></world></sdf>`, nil))
	if err != nil {
		t.Fatal(err)
	}
	m := w.Models[0].Model
	if len(m.Links) != 1 || m.Script == nil {
		t.Fatalf("the actor is %+v", m)
	}
	l := &m.Links[0]
	if l.Name != "link" || !l.Kinematic || len(l.Visuals) != 1 || len(l.Collisions) != 1 ||
		len(l.Sensors) != 1 {
		t.Fatalf("its link is %+v", l)
	}
	near(t, "visual", l.Visuals[0].Pose, r3.PoseRPY(0.5, 0, 1, 0, 0, 0))
	near(t, "collision", l.Collisions[0].Pose, r3.PoseRPY(0, 0, 2, 0, 0, 0))
	near(t, "sensor", l.Sensors[0].Pose, r3.PoseRPY(0, 0, 1.1, 0, 0, 0))
	if len(w.Notes) != 0 || w.Notes.Has(scene.Unsupported) {
		t.Errorf("notes %v", w.Notes)
	}
}
