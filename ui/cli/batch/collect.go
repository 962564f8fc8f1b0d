package batch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"simdeck/sim/sweep"
)

// Collect extracts rows from the output of processes that did a run each. The input is files of rows, or logs
// with other lines between them and words before each line. Of several rows of a run one that came to an end
// counts. Rows of another sweep are an ErrOther.
func Collect(rows map[int]Row, o *Order, digest, name string, from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		at := bytes.Index(lines.Bytes(), []byte(`{"sweep":"`))
		if at < 0 {
			continue
		}
		found, err := readRows(name, lines.Bytes()[at:])
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		row := found[0]
		switch {
		case row.Sweep != digest:
			return fmt.Errorf("%w: line %d of %s is of %s, and this file is %s", ErrOther, n, name, row.Sweep,
				digest)
		case row.Index < 0 || row.Index >= len(o.Sweep().Runs):
			return fmt.Errorf("line %d of %s has a run %d of %d", n, name, row.Index, len(o.Sweep().Runs))
		}
		if _, ok := rows[row.Index]; !ok || row.Outcome != sweep.Crashed && row.Outcome != sweep.Late {
			rows[row.Index] = row
		}
	}
	if err := lines.Err(); err != nil {
		return errors.Join(fmt.Errorf("%s cannot be read", name), err)
	}
	return nil
}
