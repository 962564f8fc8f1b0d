package bag

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func logTo(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// victimDir tells the process that a test starts to record into a folder until it is killed.
const victimDir = "SIMDECK_TEST_VICTIM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimDir); dir != "" {
		recordForEver(dir)
	}
	os.Exit(m.Run())
}

// recordForEver records some 20 MB a second on two topics.
func recordForEver(dir string) {
	r, err := New(Config{Dir: dir})
	if err != nil {
		panic(err)
	}
	go func() { panic(r.Run(context.Background())) }()
	a, b := r.Channel(topic("/a")), r.Channel(topic("/b"))
	payload := append([]byte{0, 1, 0, 0, 0x10, 0x27, 0, 0}, strings.Repeat("0123456789", 1000)...)
	payload[len(payload)-1] = 0
	for i := time.Duration(0); ; i += 2 * time.Millisecond {
		a.Take(i, payload)
		b.Take(i, payload[:len(payload)])
		time.Sleep(time.Millisecond)
	}
}

func TestAKilledProcessLeavesAFolderThatOpens(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	for n := range 3 {
		dir := filepath.Join(t.TempDir(), "bag")
		victim := exec.Command(os.Args[0])
		victim.Env = append(os.Environ(), victimDir+"="+dir)
		if err := victim.Start(); err != nil {
			t.Fatal(err)
		}
		var seen uint64
		for end := time.Now().Add(time.Minute); seen < uint64(50+700*n); time.Sleep(20 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(dir, metadataName)); err == nil {
				seen = folder(t, dir).Messages
			}
			if time.Now().After(end) {
				t.Fatalf("the process recorded %d messages in a minute", seen)
			}
		}
		if err := victim.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = victim.Wait() // it was killed
		f, m := read(t, dir), folder(t, dir)
		got := lines(t, f)
		if uint64(len(got)) < seen || uint64(len(got)) < m.Messages ||
			f.Statistics.Messages != uint64(len(got)) {
			t.Errorf("%d messages can be read, the file counts %d, metadata.yaml %d, and %d were told of before the kill",
				len(got), f.Statistics.Messages, m.Messages, seen)
		}
		if len(m.Paths) != 1 || m.Paths[0] != fileName || len(m.Topics) != 2 {
			t.Errorf("%+v", m)
		}
	}
}
