// Package stream encodes a world for viewers: its scene as JSON, its motion as frames of quantised poses.
// A delta codes every pose against a prediction from the two before, by an adaptive range coder.
// A keyframe holds the state of the prediction, so that viewers may begin with any.
//
// The page in package viewers has a twin of Decoder in stream.js, docs/viewers-protocol.md another one. All
// compute in integers, or in float64 operations in one order, whose results IEEE 754 fixes. After each frame
// they have the same bits as Encoder.
package stream
