// Package rosidl understands the interface definitions of ROS 2: .msg, .srv and .action files.
//
// Parsing gives a Struct, Service or Action; a Library holds those of many packages, knows the types that
// services and actions imply (S_Request, A_SendGoal_Response, …), and gives for each type its description and
// its hash, the RIHS01 text by which peers announce which version of a type they speak (REP 2011). The
// generator of package ros/msgs is built on it, and a node answers get_type_description from it.
package rosidl
