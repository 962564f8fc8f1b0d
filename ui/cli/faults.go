package cli

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"simdeck/ui/cli/store"
)

const (
	// maxFaults bounds the notes that one process writes.
	maxFaults = 10
	// faultsMatter is the age up to which doctor reports a note.
	faultsMatter = 30 * 24 * time.Hour
)

// Fault is a fault of simdeck's own that something from the network has brought to light, and that was
// recovered from.
type Fault struct {
	At    time.Time
	Where string // place of the fault: "a datagram"
	From  string // address of the sender, as far as known
	Data  []byte // received data, truncated
	Size  int    // octets of all of it
	Value string // of the panic
	Stack string
}

// Faults writes a file for each fault into the state folder, where doctor finds it, and into the folder of a
// trace.
type Faults struct {
	version string
	dirs    []string

	mu   sync.Mutex
	left int
}

// NewFaults keeps notes where the options say; it writes nothing before there is a fault.
func NewFaults(o Options, version string) *Faults {
	f := &Faults{version: version, dirs: []string{(&session{environ: os.Environ()}).stateDir()},
		left: maxFaults}
	if o.Trace != "" {
		f.dirs = append(f.dirs, o.Trace)
	}
	return f
}

// Note writes a fault, up to a number. Failures to write are ignored: the log has the fault.
func (f *Faults) Note(x Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left == 0 {
		return
	}
	f.left--
	name := fmt.Sprintf("fault-%s-%d.txt", x.At.UTC().Format("20060102-150405"), maxFaults-f.left)
	text := fmt.Sprintf("simdeck %s\nfault in: %s\nat: %s\nfrom: %q\n\n%d octets received, %d of them:\n%s\npanic: %q\n\n%s\n",
		f.version, x.Where,
		x.At.UTC().Format(time.RFC3339Nano), x.From, x.Size, len(x.Data), hex.Dump(x.Data), x.Value, x.Stack)
	for _, dir := range f.dirs {
		if folder, err := store.Open(dir); err == nil {
			_ = store.Replace(folder, name, []byte(text))
			folder.Close()
		}
	}
}

// noted tells doctor of faults and crashes of late.
func noted(dir string, now time.Time) Finding {
	f := Finding{Area: "files", What: "faults", Said: "none recorded"}
	count, last := 0, time.Time{}
	files, _ := os.ReadDir(dir) // none: there were no faults
	for _, file := range files {
		name := file.Name()
		kept := strings.HasSuffix(name, ".txt") &&
			(strings.HasPrefix(name, "fault-") || strings.HasPrefix(name, "crash-"))
		info, err := file.Info()
		if !kept || err != nil || now.Sub(info.ModTime()) > faultsMatter {
			continue
		}
		if count++; info.ModTime().After(last) {
			last = info.ModTime()
			f.Said = filepath.Join(dir, name)
		}
	}
	if count > 0 {
		f.Said = fmt.Sprintf("%d simdeck faults in the last 30 days, the latest in %s", count, f.Said)
		f.Fix = "report them with these files, then delete the files; they hold the datagrams that caused the faults"
	}
	return f
}
