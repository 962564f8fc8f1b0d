package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"simdeck/sim/sweep"
	"simdeck/ui/cli/store"
	"simdeck/ui/readfile"
)

// Files of a sweep's folder.
const (
	journalFile = "results.jsonl" // a line for each run, in the order in which they ended
	// the same in the order of the runs, without what differs from one time to the next
	tableFile = "results.csv"
)

// mostJournal bounds what is read of a journal, in bytes.
const mostJournal = 1 << 30

// Row is the outcome of a run, as the journal and the pods of a Job have it.
type Row struct {
	Sweep   string            `json:"sweep"`   // Order.Digest
	Version string            `json:"version"` // of simdeck
	Values  map[string]string `json:"values"`  // parameters of the run, by Sweep.Keys
	sweep.Result
	Took float64 `json:"took"` // s, by the wall clock
}

// ErrOther is a journal of another sweep, or of another simdeck.
var ErrOther = errors.New("these are results of another sweep")

// journal is the file of rows. A row is on the disk before its run counts as done.
type journal struct {
	folder *os.Root
	file   *os.File
	rows   map[int]Row
}

// openJournal opens the journal in a folder, or begins it. A last line that was not written whole is cut off.
// Rows of another sweep or version are an ErrOther, unless restart throws all of them away.
func openJournal(dir, digest, version string, runs int, restart bool) (*journal, error) {
	folder, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, journalFile)
	file, err := store.Continue(folder, journalFile)
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	j := &journal{folder: folder, file: file, rows: map[int]Row{}}
	if !lock(file) {
		j.close()
		return nil, fmt.Errorf("%s is being written by another simdeck; wait for it, or choose another --out",
			name)
	}
	if restart {
		err = file.Truncate(0)
	} else {
		err = j.read(name, digest, version, runs)
	}
	if err != nil {
		return nil, errors.Join(err, j.close())
	}
	return j, nil
}

// read takes what is there.
func (j *journal) read(name, digest, version string, runs int) error {
	data, err := readfile.Rest(j.file, mostJournal)
	if err != nil {
		return err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	if err := j.file.Truncate(int64(len(whole))); err != nil {
		return err
	}
	if _, err := j.file.Seek(int64(len(whole)), io.SeekStart); err != nil {
		return err
	}
	return j.take(name, whole, digest, version, runs)
}

// take takes rows of a sweep with so many runs out of a text.
func (j *journal) take(name string, text []byte, digest, version string, runs int) error {
	rows, err := readRows(name, text)
	for _, row := range rows {
		switch {
		case row.Sweep != digest:
			return fmt.Errorf("%w: %s is of one that this file, its scenarios or its worlds have changed since; --restart begins anew, --out keeps both",
				ErrOther, name)
		case row.Version != version:
			return fmt.Errorf("%w: %s was written by simdeck %s, and this is %s; --restart begins anew, --out keeps both",
				ErrOther, name, row.Version, version)
		case row.Index < 0 || row.Index >= runs:
			return fmt.Errorf("%s has a run %d of %d", name, row.Index, runs)
		}
		j.rows[row.Index] = row
	}
	return err
}

// readRows reads the rows of a text, a line each; empty lines are none.
func readRows(name string, data []byte) (rows []Row, err error) {
	for n := 1; len(data) > 0; n++ {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		if data = rest; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var row Row
		if err := json.Unmarshal(line, &row); err != nil || row.Sweep == "" {
			return nil, fmt.Errorf("%s:%d is no result of a run: %w", name, n, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// line is a row as the journal has it.
func (r Row) line() ([]byte, error) {
	line, err := json.Marshal(r)
	return append(line, '\n'), err
}

// add writes a row, through to the disk.
func (j *journal) add(row Row) error {
	line, err := row.line()
	if err == nil {
		_, err = j.file.Write(line)
	}
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("the result of run %d cannot be kept: %w", row.Index, store.Explain(err))
	}
	j.rows[row.Index] = row
	return nil
}

func (j *journal) close() error { return errors.Join(j.file.Close(), j.folder.Close()) }

// writeTable writes the results as a table; one that is there stays until the new one is whole.
func (j *journal) writeTable(s *sweep.Sweep) error {
	var text bytes.Buffer
	if err := WriteCSV(&text, s, j.rows); err != nil {
		return err
	}
	return store.Replace(j.folder, tableFile, text.Bytes())
}

// Keep writes rows that were done elsewhere into the folder, as if they had been done here.
func (b *Batch) Keep(rows map[int]Row, digest string) error {
	j, err := openJournal(b.Dir, digest, b.Version, len(b.Order.Sweep().Runs), b.Restart)
	if err != nil {
		return err
	}
	for i := range b.Order.Sweep().Runs {
		if row, ok := rows[i]; ok && err == nil {
			err = j.add(row)
		}
	}
	if err == nil {
		err = j.writeTable(b.Order.Sweep())
	}
	return errors.Join(err, j.close())
}
