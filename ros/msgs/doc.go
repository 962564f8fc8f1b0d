// Package msgs holds the common parts of all generated ROS messages; the messages are in the folders below
// it.
//
// The folder and the Go package of a ROS package carry its name without underscores: geometry_msgs is
// geometrymsgs. simulation_interfaces has two released lines that are not wire compatible, and a draft:
// simif2 (2.x), simif1 (1.x) and simifdraft. Go names are the ROS names in Go's spelling:
//
//   - message Foo is the struct Foo; service S is SRequest, SResponse, SEvent; action A is AGoal, AResult,
//     AFeedback and wire types (ASendGoalRequest, AFeedbackMessage, …);
//   - field frame_id is FrameID; one that would be called like a method of Message ends in Value
//     (type_name is TypeNameValue);
//   - constant C of type T is T and C together, a shared word at the seam written once: STATE_PLAYING of
//     SimulationState is SimulationStatePlaying.
//
// Sequences are slices, fixed arrays are arrays, string and wstring are string, byte and char are uint8.
// The definitions lie in the folder definitions; "make gen" writes the Go code again.
package msgs
