package cli

import (
	"errors"
	"io"
	"io/fs"
	"sync/atomic"
	"time"
)

// File is a file of a recording; an *os.File is one. It is an alias of an interface without a name, which
// other packages have too.
type File = interface {
	io.Writer
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// RecordingFolder is an open folder of recordings.
type RecordingFolder interface {
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Rename(from, to string) error
	Remove(name string) error
	// Sync makes names durable: those that were made, and those that were changed.
	Sync() error
	Close() error
}

// Disk is the file system of recordings. A simulated one injects its faults here.
type Disk interface {
	// Open opens a folder, which is made where need be.
	Open(folder string) (RecordingFolder, error)
	// Remove takes a folder away if it is empty.
	Remove(folder string) error
}

// syncPeriod bounds the recorded time that a loss of power may cost.
const syncPeriod = time.Second

// durable is a file that is synchronised with the disk at most so long after it was written. It gives the
// first error for ever: after one nobody knows what the disk has.
type durable struct {
	File
	in RecordingFolder // synchronised with the file, and closed

	turn   chan struct{} // has room for who writes or synchronises, which may take long
	later  *time.Timer   // synchronises; nil: nothing is to be
	named  bool          // the file's name is durable
	closed bool
	err    atomic.Pointer[error]
}

func newDurable(f File, in RecordingFolder) *durable {
	return &durable{File: f, in: in, turn: make(chan struct{}, 1)}
}

func (d *durable) give() { <-d.turn }

// Write writes, and sees to it that what was written is synchronised soon.
func (d *durable) Write(b []byte) (n int, err error) {
	d.turn <- struct{}{}
	defer d.give()
	if err := d.Err(); err != nil {
		return 0, err
	}
	n, err = d.File.Write(b)
	d.note(err)
	if d.later == nil {
		d.later = time.AfterFunc(syncPeriod, d.sync)
	}
	return n, err
}

// sync makes durable what was written.
func (d *durable) sync() {
	d.turn <- struct{}{}
	defer d.give()
	d.later = nil
	if !d.closed && d.Err() == nil {
		d.note(d.flush())
	}
}

// flush makes the file durable, and the first time its name.
func (d *durable) flush() error {
	err := d.File.Sync()
	if err == nil && !d.named {
		err = d.in.Sync()
		d.named = err == nil
	}
	return err
}

func (d *durable) note(err error) {
	if err != nil {
		d.err.Store(&err)
	}
}

// Err is the first error. It waits for nothing.
func (d *durable) Err() error {
	if err := d.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Close makes durable what was written last, and closes the file.
func (d *durable) Close() error {
	d.turn <- struct{}{}
	defer d.give()
	if d.later != nil {
		d.later.Stop()
	}
	d.closed = true
	err := d.Err()
	if err == nil {
		err = d.flush()
	}
	return errors.Join(err, d.File.Close(), d.in.Close())
}
