package bag

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"simdeck/ros/mcap"
)

const (
	sealPeriod = time.Second
	syncPeriod = 10 * time.Second
	// sealShare is the least ratio of all time to that of sealing.
	sealShare = 20
)

// definition is that of a type in one version.
type definition struct{ name, hash string }

// disk is the files of a recording.
type disk struct {
	folder  Folder
	file    File
	w       *mcap.Writer
	size    atomic.Int64
	schemas map[definition]uint16

	sealed, synced time.Time
	took           time.Duration // to seal
	toldAt         time.Time     // of losses
	told           uint64
}

// openDisk makes the folder and begins the file.
func openDisk(c Config) (*disk, error) {
	if c.Open == nil {
		c.Open = OpenFolder
	}
	folder, err := c.Open(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("recording topics: %w", err)
	}
	file, err := folder.OpenFile(fileName, os.O_RDWR|os.O_CREATE|os.O_EXCL, forOwner)
	if errors.Is(err, fs.ErrExist) {
		return nil, errors.Join(fmt.Errorf("%s %w", c.Dir, ErrExists), folder.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("recording topics: %w", errors.Join(err, folder.Close()))
	}
	w, err := mcap.NewWriter(file, mcap.Header{Profile: "ros2", Library: c.Library})
	if err != nil {
		return nil, fmt.Errorf("recording topics: %w",
			errors.Join(err, file.Close(), folder.Remove(fileName), folder.Close()))
	}
	return &disk{folder: folder, file: file, w: w}, nil
}

// giveUp leaves nothing behind, so that the folder can be named again.
func (d *disk) giveUp() error {
	return errors.Join(d.file.Close(), d.folder.Remove(fileName), d.folder.Close())
}

// schema is the number of a definition, which is put into the file when it is new.
func (d *disk) schema(name, hash, text string) (uint16, error) {
	of := definition{name, hash}
	if id, ok := d.schemas[of]; ok {
		return id, nil
	}
	id, err := d.w.AddSchema(name, "ros2msg", []byte(text))
	if d.schemas == nil {
		d.schemas = map[definition]uint16{}
	}
	d.schemas[of] = id
	return id, err
}

// keep seals the file and synchronises it with the disk when it is time.
func (d *disk) keep(describe func() metadata, now time.Time) error {
	if now.Sub(d.sealed) < max(sealPeriod, sealShare*d.took) {
		return nil
	}
	if d.w.Unsealed() {
		if err := d.seal(describe()); err != nil {
			return err
		}
	}
	d.took, d.sealed = time.Since(now), now
	if now.Sub(d.synced) < syncPeriod {
		return nil
	}
	d.synced = now
	return errors.Join(d.file.Sync(), d.folder.Sync())
}

// seal makes the folder whole.
func (d *disk) seal(m metadata) error {
	if err := d.w.Seal(mcap.Metadata{Name: "rosbag2",
		Table: map[string]string{"serialized_metadata": yamlOf(m)}}); err != nil {
		return err
	}
	return replace(d.folder, metadataName, []byte(folderYAML(m)))
}

// close seals the file for the last time.
func (d *disk) close(describe func() metadata) error {
	err := d.seal(describe())
	// the file has been made whole with less in it, which the folder says if there is room for that
	if err != nil {
		_ = replace(d.folder, metadataName, []byte(folderYAML(describe())))
	}
	return errors.Join(err, d.file.Sync(), d.folder.Sync(), d.file.Close(), d.folder.Close())
}

func sortedKeys(m map[string]uint64) []string { return slices.Sorted(maps.Keys(m)) }
