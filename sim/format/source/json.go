package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// JSONError adds line and column to an error of package json; at is the reader's offset, for errors without
// one.
func JSONError(data []byte, at int64, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	case errors.Is(err, io.ErrUnexpectedEOF):
		at = int64(len(data))
	}
	before := data[:min(max(at, 0), int64(len(data)))]
	return fmt.Errorf("%d:%d: %w", 1+bytes.Count(before, []byte("\n")),
		len(before)-bytes.LastIndexByte(before, '\n'), err)
}
