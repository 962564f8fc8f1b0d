package main

import "testing"

func TestFieldNames(t *testing.T) {
	for ros, want := range map[string]string{
		"x": "X", "frame_id": "FrameID", "uri": "URI", "entity_resource": "EntityResource",
		"reader_gid_seq": "ReaderGIDSeq",
		"type_name":      "TypeNameValue", "b2": "B2", "validate": "ValidateValue", "ids": "IDs",
	} {
		if got := fieldName(ros); got != want {
			t.Errorf("field %s is %s, want %s", ros, got, want)
		}
	}
}

func TestConstantNames(t *testing.T) {
	for _, c := range []struct{ typ, ros, want string }{
		{"Result", "RESULT_OK", "ResultOK"},
		{"SimulationState", "STATE_PLAYING", "SimulationStatePlaying"},
		{"FieldType", "FIELD_TYPE_INT8", "FieldTypeInt8"},
		{"SpawnEntityResponse", "NAME_NOT_UNIQUE", "SpawnEntityResponseNameNotUnique"},
		{"Log", "LOG", "LogLog"},
		{"PointField", "FLOAT32", "PointFieldFloat32"},
	} {
		if got := constantName(c.typ, c.ros); got != c.want {
			t.Errorf("%s.%s is %s, want %s", c.typ, c.ros, got, c.want)
		}
	}
}

func TestTypeAndFileNames(t *testing.T) {
	for _, c := range []struct{ full, typ, file string }{
		{"sensor_msgs/msg/MultiDOFJointState", "MultiDOFJointState", "multi_dof_joint_state_msg.go"},
		{"l2_msgs/msg/Object3DArray", "Object3DArray", "object3d_array_msg.go"},
		{"simulation_interfaces/srv/SpawnEntity_Request", "SpawnEntityRequest",
			"spawn_entity_request_msg.go"},
		{"a/action/A_SendGoal_Request", "ASendGoalRequest", "a_send_goal_request_msg.go"},
		{"p/msg/Test", "Test", "test_msg.go"},
	} {
		if got := typeName(c.full); got != c.typ {
			t.Errorf("%s is %s, want %s", c.full, got, c.typ)
		}
		if got := fileName(c.typ, "msg"); got != c.file {
			t.Errorf("%s is in %s, want %s", c.typ, got, c.file)
		}
	}
}
