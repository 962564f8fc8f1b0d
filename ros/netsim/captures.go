package netsim

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Captures reads datagrams of real participants: files of hexadecimal digits (.gz compressed) that match a
// pattern of package filepath, in name order. None at all is an error.
func Captures(pattern string) ([][]byte, error) {
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no captures are named %s (%v)", pattern, err)
	}
	all := make([][]byte, len(names))
	for i, name := range names {
		if all[i], err = capture(name); err != nil {
			return nil, fmt.Errorf("capture %s: %w", name, err)
		}
	}
	return all, nil
}

func capture(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		if text, err = io.ReadAll(z); err != nil {
			return nil, err
		}
	}
	return hex.DecodeString(strings.TrimSpace(string(text)))
}
