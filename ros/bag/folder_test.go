package bag

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var errNoRoom = errors.New("no space left on device")

// smallDisk is a folder on a disk with room for so many octets. Of a write that does not fit the beginning is
// written.
type smallDisk struct {
	rooted
	room int
}

type smallFile struct {
	File
	disk *smallDisk
	size int
}

// onSmallDisk opens a folder with so much room.
func onSmallDisk(t *testing.T, dir string, room int) (*smallDisk, Config) {
	t.Helper()
	own, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	d := &smallDisk{own.(rooted), room}
	return d, Config{Dir: dir, Open: func(string) (Folder, error) { return d, nil }}
}

// OpenFile makes a file that counts against the room.
func (d *smallDisk) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := d.rooted.OpenFile(name, flag, perm)
	return &smallFile{f, d, 0}, err
}

// Rename takes the room of what had the name back.
func (d *smallDisk) Rename(from, to string) error {
	d.free(to)
	return d.rooted.Rename(from, to)
}

// Remove takes the room of a file back.
func (d *smallDisk) Remove(name string) error {
	d.free(name)
	return d.rooted.Remove(name)
}

func (d *smallDisk) free(name string) {
	if info, err := d.Stat(name); err == nil {
		d.room += int(info.Size())
	}
}

// Sync does nothing: these tests are of disks that are full, not of such as lose their power.
func (d *smallDisk) Sync() error { return nil }

// Sync does nothing.
func (f *smallFile) Sync() error { return nil }

// Write writes what fits.
func (f *smallFile) Write(b []byte) (int, error) { return f.WriteAt(b, int64(f.size)) }

// WriteAt writes what fits.
func (f *smallFile) WriteAt(b []byte, at int64) (n int, err error) {
	more := max(0, int(at)+len(b)-f.size)
	if fits := min(more, f.disk.room); fits < more {
		b, more, err = b[:len(b)-(more-fits)], fits, errNoRoom
	}
	f.size, f.disk.room = f.size+more, f.disk.room-more
	n, wrong := f.File.WriteAt(b, at)
	return n, errors.Join(err, wrong)
}

// Truncate gives room back.
func (f *smallFile) Truncate(n int64) error {
	f.disk.room, f.size = f.disk.room+f.size-int(n), int(n)
	return f.File.Truncate(n)
}

// TestAFullDiskEndsARecordingThatOpens fills the disk at many places: what was recorded before is there, and
// counted, and the rest is counted as lost.
func TestAFullDiskEndsARecordingThatOpens(t *testing.T) {
	broke := 0
	for room := 0; room < 90_000; room += 1 + room/9 {
		dir := filepath.Join(t.TempDir(), "bag")
		_, c := onSmallDisk(t, dir, room)
		r, err := New(c)
		if err != nil {
			if !errors.Is(err, errNoRoom) {
				t.Fatal(err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%d octets: what cannot begin leaves %v, %v", room, left, err)
			}
			continue
		}
		taken := uint64(0)
		for i := range 20 {
			c := r.Channel(topic([]string{"/a", "/b"}[i/10]))
			for k := range 5 {
				c.Take(time.Duration(5*i+k), text(t, strings.Repeat(fmt.Sprint(i*7919+k), 100)))
				taken++
			}
			r.drain(batch{})
			r.fail(r.disk.seal(r.metadata()))
		}
		err = done(t, r)
		if err != nil && !errors.Is(err, errNoRoom) {
			t.Fatal(err)
		}
		if err != nil {
			broke++
		}
		in, m := lines(t, read(t, dir)), folder(t, dir)
		if uint64(len(in))+r.Lost() != taken || m.Messages > uint64(len(in)) ||
			(r.Lost() > 0) != (err != nil) {
			t.Errorf("%d octets: %d messages are in the file, %d lost, metadata.yaml says %d, of %d: %v",
				room, len(in), r.Lost(), m.Messages, taken, err)
		}
	}
	if broke < 20 {
		t.Errorf("%d recordings broke", broke)
	}
}

func TestARecordingThatBreaksEndsAtOnce(t *testing.T) {
	dir := t.TempDir()
	small, c := onSmallDisk(t, dir, 1<<16)
	r := began(t, c)
	small.room = 0
	r.Channel(topic("/a")).Take(0, text(t, "x"))
	if err := r.Run(context.Background()); !errors.Is(err, errNoRoom) {
		t.Errorf("%v", err)
	}
}

func TestLinksInTheFolderOfARecordingLeadNowhere(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside")
	plant := func(name string) {
		t.Helper()
		if err := errors.Join(os.WriteFile(outside, []byte("mine"), 0o600),
			os.Symlink(outside, filepath.Join(dir, name))); err != nil {
			t.Fatal(err)
		}
	}
	plant(fileName)
	if _, err := New(Config{Dir: dir}); !errors.Is(err, ErrExists) {
		t.Errorf("a link in place of the file: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, fileName)); err != nil {
		t.Fatal(err)
	}
	plant(metadataName)
	plant(metadataName + ".new")
	r := began(t, Config{Dir: dir})
	plant(metadataName + ".new")
	if err := done(t, r); err != nil {
		t.Fatal(err)
	}
	if mine, err := os.ReadFile(outside); err != nil || string(mine) != "mine" {
		t.Errorf("what a link led to is %q, %v", mine, err)
	}
	var names []string
	all, err := os.ReadDir(dir)
	for _, f := range all {
		if info, err := f.Info(); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s is %v, %v", f.Name(), info.Mode(), err)
		}
		names = append(names, f.Name())
	}
	if err != nil || !slices.Equal(names, []string{metadataName, fileName}) {
		t.Errorf("%v, %v", names, err)
	}
}
