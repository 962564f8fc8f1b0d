// Package cdr reads and writes the bytes inside an RTPS sample: OMG CDR as ROS 2 uses it.
//
// Writing is a row of Append functions over a byte slice; reading is a Reader with a sticky error. Nothing
// here reflects on types: package ros/msgs generates the calls for each message, and ros/rtps and ros/node
// make a few by hand.
//
// A payload is a 4-byte encapsulation header and a body. Output is always XCDR version 1, little endian (00
// 01 00 00). Input may also be big endian, or XCDR version 2 of final types (DDS-XTypes 1.3 §7.4.3).
// Alignment counts from the byte after the header, so every slice given to an Append function must begin with
// one.
package cdr
