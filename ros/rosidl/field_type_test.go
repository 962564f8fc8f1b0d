package rosidl

import "testing"

// The numbers are those of the constants of type_description_interfaces/msg/FieldType.
func TestTypeIDs(t *testing.T) {
	for _, c := range []struct {
		typ  Type
		text string
		id   uint8
	}{
		{Type{Base: Bool}, "bool", 15},
		{Type{Base: Uint8}, "uint8", 3},
		{Type{Base: Byte, Shape: Array, Size: 4}, "byte[4]", 64},
		{Type{Base: String}, "string", 17},
		{Type{Base: String, StringBound: 5}, "string<=5", 21},
		{Type{Base: WString, StringBound: 5, Shape: Bounded, Size: 2}, "wstring<=5[<=2]", 118},
		{Type{Base: Nested, Name: "p/msg/A", Shape: Unbounded}, "p/msg/A[]", 145},
	} {
		if c.typ.ID() != c.id || c.typ.String() != c.text {
			t.Errorf("%v has id %d, want %s with %d", c.typ, c.typ.ID(), c.text, c.id)
		}
	}
}

func TestDDSName(t *testing.T) {
	for name, want := range map[string]string{
		"geometry_msgs/msg/Point":     "geometry_msgs::msg::dds_::Point_",
		"p/action/A_SendGoal_Request": "p::action::dds_::A_SendGoal_Request_",
	} {
		if got := DDSName(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
