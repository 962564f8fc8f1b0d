package rosidl

import "testing"

func TestTheDescriptionOfAType(t *testing.T) {
	d, err := load(t, "2.x").Description("simulation_interfaces/srv/StepSimulation_Request")
	if err != nil {
		t.Fatal(err)
	}
	if f := d.Type.Fields[0]; f.Name != "steps" || f.TypeID != uint8(Uint64) || f.DefaultValue != "1" {
		t.Errorf("field %+v, want steps of type 9 with default 1", f)
	}
	d, err = load(t, "2.x").Description("geometry_msgs/msg/PoseStamped")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"builtin_interfaces/msg/Time", "geometry_msgs/msg/Point", "geometry_msgs/msg/Pose",
		"geometry_msgs/msg/Quaternion", "std_msgs/msg/Header"}
	for i, r := range d.Referenced {
		if i >= len(want) || r.TypeName != want[i] {
			t.Errorf("referenced type %d is %s, want %q", i, r.TypeName, want)
		}
	}
	if len(d.Referenced) != len(want) {
		t.Errorf("%d referenced types, want %d", len(d.Referenced), len(want))
	}
}
