// Package rosidl understands the interface definitions of ROS 2: .msg, .srv and .action files.
//
// Parsing gives a Struct, Service or Action. A Library holds those of many packages and knows the types that
// services and actions imply (S_Request, A_SendGoal_Response, …). It gives each type's description and its
// RIHS01 hash, by which peers announce their version of a type (REP 2011). The generator of package ros/msgs
// is built on it, and a node answers get_type_description from it.
package rosidl
