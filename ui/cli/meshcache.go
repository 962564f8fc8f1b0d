package cli

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"simdeck/ui/cli/store"
	"simdeck/ui/readfile"
)

const (
	cacheMagic  = "simdeck mesh 1\n\x00"
	cacheHeader = len(cacheMagic) + 32 + 8 + 4 // the key, the length and the checksum of what follows
	cacheBytes  = 1 << 30
	// age from which on an unfinished file is of a dead process; also the accuracy of a file's last use
	staleAfter = time.Hour
)

// MeshCache is a folder that keeps what was computed of meshes, for all simdecks of a user at the same time.
// Files come into it by renaming, so that nobody sees half of one; one that is cut, changed or somebody
// else's is not taken. When it has grown too large what was used longest ago goes. A folder that cannot be
// written to keeps nothing.
type MeshCache struct {
	Tell func(error) // is told once that something cannot be kept, and why; nil: nobody

	root  *os.Root
	limit int64
	once  sync.Once

	mu      sync.Mutex
	written int64 // since the folder was last looked through
	looked  bool
}

// NewMeshCache opens the folder, and makes it where it is missing. An empty name and a folder that cannot be
// made are errors.
func NewMeshCache(dir string) (*MeshCache, error) {
	if dir == "" {
		return nil, fmt.Errorf("cache of meshes: %w", fs.ErrNotExist)
	}
	root, err := store.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("cache of meshes: %w", err)
	}
	return &MeshCache{root: root, limit: cacheBytes}, nil
}

// Get is the data under a key, if it is still whole.
func (c *MeshCache) Get(key [32]byte) ([]byte, bool) {
	name := hex.EncodeToString(key[:])
	info, err := c.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() < int64(cacheHeader) || info.Size() > c.limit/4 {
		return nil, false
	}
	f, err := readfile.OpenIn(c.root, name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, false
	}
	body, ok := unsealed(key, data)
	if !ok {
		_ = c.root.Remove(name)
		return nil, false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > staleAfter {
		_ = c.root.Chtimes(name, now, now)
	}
	return body, true
}

// sealed puts a header before data.
func sealed(key [32]byte, data []byte) []byte {
	b := append(make([]byte, 0, cacheHeader), cacheMagic...)
	b = append(b, key[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(data)))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
}

func unsealed(key [32]byte, file []byte) ([]byte, bool) {
	body := file[cacheHeader:]
	return body, string(file[:cacheHeader]) == string(sealed(key, body))
}

// Put stores data under a key. Data that cannot be stored is computed again by the next run.
func (c *MeshCache) Put(key [32]byte, data []byte) {
	size := int64(len(data) + cacheHeader)
	if size > c.limit/4 {
		return
	}
	name := hex.EncodeToString(key[:])
	temporary := fmt.Sprintf("%s.%d.%d.new", name[:16], os.Getpid(), time.Now().UnixNano())
	f, err := store.Create(c.root, temporary)
	if err != nil {
		c.tell(err)
		return
	}
	_, err = f.Write(sealed(key, data))
	if err == nil {
		_, err = f.Write(data)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = c.root.Rename(temporary, name)
	}
	if err != nil {
		_ = c.root.Remove(temporary)
		c.tell(err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.written += size; !c.looked || c.written > c.limit/16 {
		c.looked, c.written = true, 0
		c.evict()
	}
}

func (c *MeshCache) tell(err error) {
	if c.Tell != nil {
		c.once.Do(func() { c.Tell(fmt.Errorf("cache of meshes: %w", store.Explain(err))) })
	}
}

// evict removes what was left half written, and what was used longest ago until there is room for a while.
func (c *MeshCache) evict() {
	dir, err := c.root.Open(".")
	if err != nil {
		return
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return
	}
	var files []os.FileInfo
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if strings.HasSuffix(e.Name(), ".new") {
			if time.Since(info.ModTime()) > staleAfter {
				_ = c.root.Remove(e.Name())
			}
			continue
		}
		files = append(files, info)
		total += info.Size()
	}
	if total <= c.limit {
		return
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	for _, f := range files {
		if total <= c.limit/4*3 {
			return
		}
		if c.root.Remove(f.Name()) == nil {
			total -= f.Size()
		}
	}
}

// cacheDir is the folder of meshes; empty when the environment names none.
func (s *session) cacheDir() string {
	dir := s.env("XDG_CACHE_HOME")
	if !filepath.IsAbs(dir) { // as the XDG base directory specification asks
		home := s.env("HOME")
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, ".cache")
	}
	return filepath.Join(dir, "simdeck", "meshes")
}
