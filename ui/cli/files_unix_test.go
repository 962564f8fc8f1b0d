//go:build unix

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"simdeck/sim/scene"
	"simdeck/ui/readfile"
)

// reading are the commands that read a file, which stands where FILE is, and the exit code when it cannot be
// read.
var reading = []struct {
	args []string
	code int
}{
	{[]string{"replay", "FILE"}, 3},
	{[]string{"sweep", "FILE"}, 3},
	{[]string{"run", "--config", "FILE"}, 1},
	{[]string{"--keymap", "FILE"}, 1},
}

// most is the greatest memory of a command that rejects its input, bytes.
const most = 512 << 20

func TestNoCommandReadsWhatHasNoEndOrBlocks(t *testing.T) {
	for _, kind := range []struct {
		name, said string
		make       func(file string) error
	}{
		{"a pipe", "named pipe", func(file string) error { return syscall.Mkfifo(file, 0o644) }},
		{"a device", "a device", func(file string) error { return os.Symlink("/dev/zero", file) }},
		{"a file of a terabyte", "", func(file string) error {
			return errors.Join(os.WriteFile(file, nil, 0o644), os.Truncate(file, 1<<40))
		}},
	} {
		for _, c := range reading {
			dir := t.TempDir()
			file, args := filepath.Join(dir, "robot.urdf"), slices.Clone(c.args)
			args[slices.Index(args, "FILE")] = file
			if err := kind.make(file); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			l := run(t, args, nil)
			runtime.ReadMemStats(&after)
			if ExitCode(l.err) != c.code || !strings.Contains(l.err.Error(), kind.said) ||
				!strings.Contains(l.err.Error(), dir) {
				t.Errorf("%s is %s: exit code %d, %v; want %d, and that %q", args, kind.name, ExitCode(l.err),
					l.err, c.code, kind.said)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > most {
				t.Errorf("%s is %s: it took %d MB", args, kind.name, got>>20)
			}
		}
	}
}

func TestAWorldOrSidecarThatIsNoRegularFileIsRefused(t *testing.T) {
	link := filepath.Join(t.TempDir(), "world.sdf")
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Fatal(err)
	}
	if _, _, err := (Options{World: link}).WorldFile(); !errors.Is(err, scene.ErrNotFound) ||
		!errors.Is(err, readfile.ErrNotRegular) {
		t.Errorf("a world that is a device: %v", err)
	}
	if saysWorld(link) || holdsModel(link) {
		t.Error("a device holds a world or a model")
	}
	if _, err := readInfo(link); !errors.Is(err, readfile.ErrNotRegular) {
		t.Errorf("a sidecar that is a device: %v", err)
	}
}

func TestTheTextOfAFileIsSentOnlyIfItIsOne(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := local(pipe, true); !errors.Is(err, readfile.ErrNotRegular) {
		t.Errorf("the text of a pipe: %v", err)
	}
	if r, err := local("/dev/zero", false); err != nil || r != (scene.Resource{URI: "/dev/zero"}) {
		t.Errorf("a device that another simulator may know: %v, %v", r, err)
	}
}
