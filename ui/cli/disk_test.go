package cli

import (
	"errors"
	"io/fs"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/bag"
)

// disk is the system's.
type disk struct{}

func (disk) Open(folder string) (RecordingFolder, error) { return bag.OpenFolder(folder) }

func (disk) Remove(folder string) error { return os.Remove(folder) }

// counted is a file, or the folder of one, that counts how often it was synchronised.
type counted struct {
	File
	synced int
	fail   error
}

func (c *counted) Write(b []byte) (int, error) { return len(b), nil }
func (c *counted) Close() error                { return nil }
func (c *counted) Sync() error                 { c.synced++; return c.fail }

func (c *counted) OpenFile(string, int, fs.FileMode) (File, error) { return c, nil }
func (c *counted) Rename(string, string) error                     { return nil }
func (c *counted) Remove(string) error                             { return nil }

func TestWhatIsRecordedIsDurableASecondLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file, folder := &counted{}, &counted{}
		d := newDurable(file, folder)
		for range 30 {
			if _, err := d.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if file.synced != 3 || folder.synced != 1 {
			t.Errorf("in 3 s of writing the file was synchronised %d times and its folder %d times, want 3 and 1",
				file.synced, folder.synced)
		}
		if err := d.Close(); err != nil || file.synced != 4 {
			t.Errorf("its end: %v, synchronised %d times", err, file.synced)
		}
	})
}

func TestADiskThatCannotSynchroniseEndsTheRecording(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("input/output error")
		d := newDurable(&counted{fail: broken}, &counted{})
		if _, err := d.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(syncPeriod + time.Millisecond)
		if _, err := d.Write([]byte("y")); !errors.Is(err, broken) {
			t.Errorf("what is written after that: %v", err)
		}
		if err := d.Close(); !errors.Is(err, broken) {
			t.Errorf("the end: %v", err)
		}
	})
}
