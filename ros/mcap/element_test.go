package mcap

import (
	"errors"
	"reflect"
	"testing"
)

// elements are a record of every kind that is read, and how it is.
func elements() map[string]struct {
	text  []byte
	want  any
	parse func([]byte) (any, error)
} {
	type row = struct {
		text  []byte
		want  any
		parse func([]byte) (any, error)
	}
	h := Header{"ros2", "simdeck"}
	s := Schema{7, "a/msg/B", "ros2msg", []byte("int8 x")}
	c := Channel{3, 7, "/t", "cdr", map[string]string{"b": "2", "a": ""}}
	m := Metadata{"name", map[string]string{"k": "v"}}
	i := metadataIndex{5, 6, "name"}
	n := Statistics{1, 2, 3, 4, 5, 6, 7, 8, map[uint16]uint64{9: 10, 1: 2}}
	x := chunkIndex{1, 2, 3, 4, map[uint16]uint64{5: 6}, 7, "zstd", 8, 9}
	k := chunk{1, 2, 3, 4, "zstd", []byte("records")}
	f := footer{1, 2, 3}
	return map[string]row{
		"header":  {appendHeader(nil, h), h, func(b []byte) (any, error) { return parseHeader(b) }},
		"schema":  {appendSchema(nil, s), s, func(b []byte) (any, error) { return parseSchema(b) }},
		"channel": {appendChannel(nil, c), c, func(b []byte) (any, error) { return parseChannel(b) }},
		"metadata": {appendMetadata(nil, m), m,
			func(b []byte) (any, error) { return parseMetadata(b) }},
		"metadata index": {appendMetadataIndex(nil, i), i,
			func(b []byte) (any, error) { return parseMetadataIndex(b) }},
		"statistics": {appendStatistics(nil, n), n,
			func(b []byte) (any, error) { return parseStatistics(b) }},
		"chunk index": {appendChunkIndex(nil, x), x,
			func(b []byte) (any, error) { return parseChunkIndex(b) }},
		"chunk":  {appendChunk(nil, k), k, func(b []byte) (any, error) { return parseChunk(b) }},
		"footer": {appendFooter(nil, f), f, func(b []byte) (any, error) { return parseFooter(b) }},
	}
}

func TestEveryRecordIsReadAsItWasWrittenAndNoPartOfItIs(t *testing.T) {
	for name, e := range elements() {
		content := e.text[headSize:]
		if got, err := e.parse(content); err != nil || !reflect.DeepEqual(got, e.want) {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, e.want)
		}
		for n := range content {
			if got, err := e.parse(content[:n]); !errors.Is(err, ErrFormat) {
				t.Errorf("%s: %d of %d octets are %+v, %v", name, n, len(content), got, err)
			}
		}
	}
	m := Message{1, 2, 3, 4, []byte("data")}
	text := appendMessage(nil, &m)[headSize:]
	if got, err := parseMessage(text); err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("message: %+v, %v", got, err)
	}
	for n := range messageHead {
		if _, err := parseMessage(text[:n]); !errors.Is(err, ErrFormat) {
			t.Errorf("message: %d octets: %v", n, err)
		}
	}
}

func FuzzElement(f *testing.F) {
	for _, e := range elements() {
		f.Add(e.text[headSize:])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for name, e := range elements() {
			if _, err := e.parse(b); err != nil && !errors.Is(err, ErrFormat) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
