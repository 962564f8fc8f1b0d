// Package wire is the encoding of the Zenoh protocol, version 1.x: the messages that a session sends or
// takes.
//
// It has three layers. Links carry batches; on a stream the length of a batch stands in front of it
// (AppendBatch). A batch holds transport messages. Two sessions meet by Init and Open, KeepAlive and Close
// keep and end the session. Frame and Fragment carry network messages: Declare, Interest, Push, Request,
// Response and ResponseFinal. Push and Response carry a Value, Request a query.
//
// Parsed messages refer to the octets of the batch. A peer decides about no allocation, and no length is
// believed that exceeds the batch. Unknown extensions are passed over, unless they are mandatory: these are
// ErrExtension.
//
// Source: the public specification of the protocol and the behaviour of eclipse-zenoh 1.10, whose captures
// stand in testdata.
package wire
