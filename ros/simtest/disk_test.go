package simtest

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"sync"
	"syscall"
	"time"

	"simdeck/ui/cli"
)

// disk is a virtual disk with seeded fault injection: operations fail or take long. A power loss keeps the
// synchronized data, some of the later writes, and one of them torn. Nothing sleeps while it holds the lock.
type disk struct {
	mu     sync.Mutex
	seed   uint64
	rand   *rand.Rand // of deaths
	faults faults
	done   map[string]uint64 // operations by kind and file: their faults do not depend on the others
	deaths []int             // an image is taken before these operations
	files  map[string]*inode // by path, as the running system sees them
	names  map[string]*inode // as they would be after a power loss
	ops    int
	failed int
	images []image
}

// faults are the faults that a disk injects.
type faults struct {
	rate  float64       // share of operations that fail
	slow  time.Duration // longest duration of one
	kinds []error
}

// inode is a file. Its writes since the last synchronization are kept beside it.
type inode struct {
	data    []byte
	durable []byte
	pending []change
}

// change is a write, or a truncation where bytes are nil.
type change struct {
	at    int64
	bytes []byte
}

// image is the state of files after the death of a process or a machine.
type image struct {
	at     time.Time
	power  bool              // lost: what was not synchronised is lost or torn; else only the process died
	health bool              // no operation had failed before
	files  map[string][]byte // by path
	synced map[string][]byte // durable content: at least so much must be found
}

func newDisk(seed uint64, f faults) *disk {
	d := &disk{seed: seed, rand: rand.New(rand.NewPCG(seed, 0xd15c)), faults: f, files: map[string]*inode{},
		names: map[string]*inode{}, done: map[string]uint64{}}
	d.deaths = []int{1 + d.rand.IntN(20), 1 + d.rand.IntN(100)}
	return d
}

var _ cli.Disk = (*disk)(nil)

// op is one operation: it takes its time, and its error is injected.
func (d *disk) op(what, name string) error {
	d.mu.Lock()
	if d.ops++; slices.Contains(d.deaths, d.ops) {
		d.image(d.ops%2 == 0)
	}
	h := fnv.New64a()
	h.Write([]byte(what + name))
	sum := h.Sum64()
	d.done[what+name]++
	r := rand.New(rand.NewPCG(d.seed^sum, d.done[what+name]))
	fails, kind, wait := r.Float64() < d.faults.rate, r.IntN(1<<20),
		time.Duration(r.Float64()*float64(d.faults.slow))
	err := error(nil)
	if fails && len(d.faults.kinds) > 0 {
		d.failed++
		err = &fs.PathError{Op: what, Path: name, Err: d.faults.kinds[kind%len(d.faults.kinds)]}
	}
	d.mu.Unlock()
	if wait > 0 {
		time.Sleep(wait)
	}
	return err
}

// Open opens a folder.
func (d *disk) Open(name string) (cli.RecordingFolder, error) {
	if err := d.op("mkdir", name); err != nil {
		return nil, err
	}
	return &folder{d, name}, nil
}

// Remove takes a folder away if it is empty: then nothing of it is left here.
func (d *disk) Remove(name string) error {
	if err := d.op("remove", name); err != nil {
		return err
	}
	return nil
}

// die keeps what the process or the machine would leave if it died now.
func (d *disk) die(power bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.image(power)
}

func (d *disk) image(power bool) {
	i := image{at: time.Now(), power: power, health: d.failed == 0, files: map[string][]byte{},
		synced: map[string][]byte{}}
	for _, name := range slices.Sorted(maps.Keys(d.names)) {
		i.synced[name] = slices.Clone(d.names[name].durable)
		n := d.names[name]
		if other := d.files[name]; other != nil && d.rand.IntN(2) == 0 {
			n = other // the file that took the name since
		}
		if power {
			i.files[name] = n.torn(d.rand)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		if !power {
			i.files[name] = slices.Clone(d.files[name].data)
		} else if _, there := i.files[name]; !there && d.rand.IntN(2) == 0 { // the name may have come through
			i.files[name] = d.files[name].torn(d.rand)
		}
	}
	d.images = append(d.images, i)
}

// torn is a file after a power loss: without unsynchronised data, or with some of it, and with parts of some
// changes.
func (n *inode) torn(r *rand.Rand) []byte {
	data := slices.Clone(n.durable)
	if r.IntN(2) == 0 {
		return data
	}
	for _, c := range n.pending {
		switch r.IntN(4) {
		case 0: // lost
		case 1:
			c.bytes = c.bytes[:len(c.bytes)-len(c.bytes)/(1+r.IntN(4))]
			fallthrough
		default:
			data = c.on(data)
		}
	}
	return data
}

func (c change) on(data []byte) []byte {
	if c.bytes == nil {
		data = data[:min(int64(len(data)), c.at)]
		return append(data, make([]byte, c.at-int64(len(data)))...)
	}
	if grow := c.at + int64(len(c.bytes)) - int64(len(data)); grow > 0 {
		data = append(data, make([]byte, grow)...)
	}
	copy(data[c.at:], c.bytes)
	return data
}

// folder is an open folder of a disk.
type folder struct {
	d    *disk
	name string
}

func (f *folder) OpenFile(name string, flag int, _ fs.FileMode) (cli.File, error) {
	full := path.Join(f.name, name)
	if err := f.d.op("open", full); err != nil {
		return nil, err
	}
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	n := f.d.files[full]
	switch {
	case n != nil && flag&os.O_EXCL != 0:
		return nil, &fs.PathError{Op: "open", Path: full, Err: fs.ErrExist}
	case n == nil && flag&os.O_CREATE == 0:
		return nil, &fs.PathError{Op: "open", Path: full, Err: fs.ErrNotExist}
	case n == nil:
		n = &inode{}
		f.d.files[full] = n
	case flag&os.O_TRUNC != 0:
		n.change(change{})
	}
	return &file{d: f.d, n: n, name: full}, nil
}

func (f *folder) Rename(from, to string) error {
	from, to = path.Join(f.name, from), path.Join(f.name, to)
	if err := f.d.op("rename", from); err != nil {
		return err
	}
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	n := f.d.files[from]
	if n == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	delete(f.d.files, from)
	f.d.files[to] = n
	return nil
}

func (f *folder) Remove(name string) error {
	full := path.Join(f.name, name)
	if err := f.d.op("remove", full); err != nil {
		return err
	}
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.d.files[full] == nil {
		return &fs.PathError{Op: "remove", Path: full, Err: fs.ErrNotExist}
	}
	delete(f.d.files, full)
	return nil
}

func (f *folder) Sync() error {
	if err := f.d.op("sync", f.name); err != nil {
		return err
	}
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	maps.DeleteFunc(f.d.names, func(name string, _ *inode) bool { return path.Dir(name) == f.name })
	for name, n := range f.d.files {
		if path.Dir(name) == f.name {
			f.d.names[name] = n
		}
	}
	return nil
}

func (f *folder) Close() error { return nil }

// file is an open file of a disk.
type file struct {
	d      *disk
	n      *inode
	name   string
	at     int64
	closed bool
}

func (n *inode) change(c change) {
	n.data, n.pending = c.on(n.data), append(n.pending, c)
}

func (f *file) Write(b []byte) (int, error) {
	n, err := f.WriteAt(b, f.at)
	f.at += int64(n)
	return n, err
}

// WriteAt writes all of b, or with an error a part of it.
func (f *file) WriteAt(b []byte, at int64) (int, error) {
	err := f.d.op("write", f.name)
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	switch {
	case f.closed:
		return 0, fs.ErrClosed
	case err != nil:
		b = b[:f.d.rand.IntN(len(b)+1)]
	}
	if len(b) > 0 {
		f.n.change(change{at, slices.Clone(b)})
	}
	return len(b), err
}

func (f *file) Truncate(size int64) error {
	if err := f.d.op("truncate", f.name); err != nil {
		return err
	}
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	f.n.change(change{at: size})
	return nil
}

func (f *file) Sync() error {
	if err := f.d.op("sync", f.name); err != nil {
		return err
	}
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.closed {
		return fs.ErrClosed
	}
	f.n.durable, f.n.pending = slices.Clone(f.n.data), nil
	return nil
}

func (f *file) Close() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.closed {
		return fmt.Errorf("close %s: %w", f.name, fs.ErrClosed)
	}
	f.closed = true
	return nil
}

// someFaults are those of a seed: half of the disks work.
func someFaults(r *rand.Rand) faults {
	f := faults{kinds: []error{syscall.ENOSPC, syscall.EIO, syscall.EDQUOT}}
	if r.IntN(2) == 0 {
		f.rate = []float64{0.002, 0.02, 0.2}[r.IntN(3)]
	}
	if r.IntN(4) == 0 {
		f.slow = time.Duration(cmp.Or(r.IntN(3), 20)) * 20 * time.Millisecond
	}
	return f
}
