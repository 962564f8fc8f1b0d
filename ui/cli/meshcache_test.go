package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func keyOf(n int) (key [32]byte) {
	copy(key[:], fmt.Sprint(n))
	return key
}

func newCache(t *testing.T) (*MeshCache, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a", "meshes")
	c, err := NewMeshCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c, dir
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestWhatWasPutIsThereForTheNextProcess(t *testing.T) {
	c, dir := newCache(t)
	c.Put(keyOf(1), []byte("one"))
	c.Put(keyOf(2), nil)
	next, err := NewMeshCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := next.Get(keyOf(1)); !ok || string(got) != "one" {
		t.Errorf("%q, %v; want one", got, ok)
	}
	if got, ok := next.Get(keyOf(2)); !ok || len(got) != 0 {
		t.Errorf("%q, %v; want nothing, kept", got, ok)
	}
	if _, ok := next.Get(keyOf(3)); ok {
		t.Error("what was never put is there")
	}
}

func TestWhatIsCutChangedOrAnothersIsNotTaken(t *testing.T) {
	for name, spoil := range map[string]func(file string, data []byte) error{
		"cut": func(file string, data []byte) error {
			return os.WriteFile(file, data[:len(data)-1],
				0o600)
		},
		"header": func(file string, data []byte) error { return os.WriteFile(file, data[:20], 0o600) },
		"empty":  func(file string, _ []byte) error { return os.WriteFile(file, nil, 0o600) },
		"longer": func(file string, data []byte) error { return os.WriteFile(file, append(data, 0), 0o600) },
		"changed": func(file string, data []byte) error {
			data[len(data)-2] ^= 1
			return os.WriteFile(file,
				data, 0o600)
		},
		"another": func(file string, _ []byte) error {
			return os.WriteFile(file, append(sealed(keyOf(9), []byte("other")), "other"...), 0o600)
		},
		"folder": func(file string, _ []byte) error { os.Remove(file); return os.Mkdir(file, 0o700) },
		"link": func(file string, _ []byte) error {
			os.Remove(file)
			return os.Symlink("/etc/passwd", file)
		},
	} {
		c, dir := newCache(t)
		c.Put(keyOf(1), bytes.Repeat([]byte("mesh"), 100))
		list := files(t, dir)
		data, err := os.ReadFile(list[0])
		if err == nil {
			err = spoil(list[0], data)
		}
		if err != nil || len(list) != 1 {
			t.Fatal(err, list)
		}
		if got, ok := c.Get(keyOf(1)); ok {
			t.Errorf("%s: it was taken: %q", name, got)
		}
	}
}

func TestTheCacheStaysSmallAndForgetsWhatIsLongUnused(t *testing.T) {
	c, dir := newCache(t)
	c.limit = 100_000
	long := time.Now().Add(-48 * time.Hour)
	if err := os.WriteFile(filepath.Join(dir, "left.1.1.new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "left.1.1.new"), long, long); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		c.Put(keyOf(i), make([]byte, 9000))
		if list := files(t, dir); i > 0 && i < 8 {
			when := long.Add(time.Duration(i) * time.Minute)
			for _, f := range list {
				if filepath.Base(f) == fmt.Sprintf("%x", keyOf(i)) {
					if err := os.Chtimes(f, when, when); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if i == 8 { // used: it stays when its neighbours go
			c.Get(keyOf(1))
		}
	}
	total := int64(0)
	for _, f := range files(t, dir) {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	_, first := c.Get(keyOf(29))
	_, old := c.Get(keyOf(2))
	if total > c.limit || !first || old {
		t.Errorf("%d bytes, the newest kept: %v, an old one kept: %v", total, first, old)
	}
	if _, err := os.Stat(filepath.Join(dir, "left.1.1.new")); err == nil {
		t.Error("what a dead process left is still there")
	}
	c.Put(keyOf(99), make([]byte, 30_000))
	if _, ok := c.Get(keyOf(99)); ok {
		t.Error("what is larger than a quarter was kept")
	}
}

func TestManySimdecksShareACache(t *testing.T) {
	_, dir := newCache(t)
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			c, err := NewMeshCache(dir)
			if err != nil {
				t.Error(err)
				return
			}
			c.limit = 200_000
			for i := range 100 {
				k := (i*7 + w) % 20
				want := bytes.Repeat([]byte{byte(k)}, 5000+k)
				if got, ok := c.Get(keyOf(k)); ok && !bytes.Equal(got, want) {
					t.Errorf("key %d has %d bytes of %d", k, len(got), got[0])
				}
				c.Put(keyOf(k), want)
			}
		})
	}
	all.Wait()
}

func TestACacheThatCannotBeMadeSaysWhy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewMeshCache(filepath.Join(file, "meshes")); err == nil {
		t.Error("a folder below a file")
	}
	for home, want := range map[string]string{"": "", "/h": "/h/.cache/simdeck/meshes"} {
		s := &session{environ: []string{"HOME=" + home, "XDG_CACHE_HOME=relative"}}
		if got := s.cacheDir(); got != want {
			t.Errorf("home %q: %q, want %q", home, got, want)
		}
	}
	if got := (&session{environ: []string{"XDG_CACHE_HOME=/c"}}).cacheDir(); got != "/c/simdeck/meshes" {
		t.Errorf("XDG_CACHE_HOME: %q", got)
	}
}
