// Package yamlsrc reads YAML files that people write: what is wrong in one is said
// with its line and column.
package yamlsrc

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Reader reads one file; the first error stays.
type Reader struct {
	File   string // name of the file in messages
	Format error  // that every error wraps: what the file is not
	Err    error
}

// Read decodes the file, of at most so many bytes, and gives what is at its top.
func (r *Reader) Read(data []byte, most int) (*yaml.Node, error) {
	if len(data) > most {
		r.Fail(nil, "%d bytes; at most %d are read", len(data), most)
		return nil, r.Err
	}
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", r.Format, r.File, err)
	}
	return doc.Content[0], nil
}

// Fail notes what is wrong at a node; nil: the beginning of the file.
func (r *Reader) Fail(n *yaml.Node, format string, args ...any) {
	if r.Err != nil {
		return
	}
	line, column := 1, 1
	if n != nil {
		line, column = n.Line, n.Column
	}
	r.Err = fmt.Errorf("%w: %s:%d:%d: %s", r.Format, r.File, line, column, fmt.Sprintf(format, args...))
}

// Clip is the beginning of a text that is too long for a message.
func Clip(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}
