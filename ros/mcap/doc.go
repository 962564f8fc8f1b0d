// Package mcap writes and reads MCAP files, version 0 (https://mcap.dev/spec): messages of many topics with
// type definitions, in compressed, indexed chunks.
//
// A Writer appends chunks. Seal puts the index and the footer behind the last one; the next chunk takes their
// place. So a file whose process is killed is whole up to its last seal, and readable up to its last chunk. A
// Reader takes either: a file without an index it scans.
//
// It knows no ROS and opens no files: package bag does.
package mcap

import "errors"

// ErrFormat is wrapped when a file is no MCAP file, or is broken; the message says where.
var ErrFormat = errors.New("not an MCAP file")

// ErrTooLarge is wrapped when a message or definition does not fit into a file.
var ErrTooLarge = errors.New("too large for an MCAP file")

// magic begins and ends a file.
const magic = "\x89MCAP0\r\n"

// Kinds of records (spec, "Records").
const (
	opHeader        byte = 0x01
	opFooter        byte = 0x02
	opSchema        byte = 0x03
	opChannel       byte = 0x04
	opMessage       byte = 0x05
	opChunk         byte = 0x06
	opMessageIndex  byte = 0x07
	opChunkIndex    byte = 0x08
	opStatistics    byte = 0x0B
	opMetadata      byte = 0x0C
	opMetadataIndex byte = 0x0D
	opSummaryOffset byte = 0x0E
	opDataEnd       byte = 0x0F
)

// headSize is the size of a record's head: its kind and its length.
const headSize = 1 + 8
