package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry is a file of an archive for tests.
type entry struct {
	name, text string
	mode       fs.FileMode
}

// zipped is an archive of some entries.
func zipped(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// roomy has room for a model.
var roomy = Limits{Files: 100, Bytes: 1 << 20}

// unpacked unpacks an archive into a folder of its own, beside which nothing may appear.
func unpacked(t testing.TB, data []byte, l Limits) ([]File, string, error) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err == nil {
		err = root.Mkdir("to", 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	files, err := Unpack(t.Context(), bytes.NewReader(data), int64(len(data)), root, "to", l)
	if names, wrong := os.ReadDir(dir); wrong != nil || len(names) != 1 {
		t.Errorf("beside the folder lies %v, %v", names, wrong)
	}
	return files, filepath.Join(dir, "to"), err
}

func TestAModelIsUnpackedWithTheSumsOfItsFiles(t *testing.T) {
	files, dir, err := unpacked(t, zipped(t, entry{name: "model.config", text: "<model/>"},
		entry{name: "meshes/"},
		entry{name: "meshes/a b.dae", text: strings.Repeat("mesh ", 1000)}), roomy)
	if err != nil || len(files) != 2 || files[1].Path != "meshes/a b.dae" || files[1].Size != 5000 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Path))
		if err != nil || sha256.Sum256(data) != f.Sum || int64(len(data)) != f.Size {
			t.Errorf("%s: %v, %d bytes, want %d of sum %x", f.Path, err, len(data), f.Size, f.Sum)
		}
	}
}

func TestArchivesThatClimbOutAreRefusedBeforeAnythingIsWritten(t *testing.T) {
	fine := entry{name: "model.sdf", text: "<sdf/>"}
	deep := strings.Repeat("a/", 40) + "x"
	for _, c := range []struct {
		bad  entry
		want error
	}{
		{entry{name: "../x"}, ErrName},
		{entry{name: "a/../../x"}, ErrName},
		{entry{name: "a/../x"}, ErrName},
		{entry{name: "/etc/x"}, ErrName},
		{entry{name: "//x"}, ErrName},
		{entry{name: `..\x`}, ErrName},
		{entry{name: `C:\x`}, ErrName},
		{entry{name: "a//x"}, ErrName},
		{entry{name: "./x"}, ErrName},
		{entry{name: "x\x00y"}, ErrName},
		{entry{name: "x\x1b[2J"}, ErrName},
		{entry{name: "x\xff"}, ErrName},
		{entry{name: ""}, ErrName},
		{entry{name: deep}, ErrName},
		{entry{name: strings.Repeat("x", 300)}, ErrName},
		{entry{name: "link", text: "/etc", mode: fs.ModeSymlink | 0o777}, ErrKind},
		{entry{name: "pipe", mode: fs.ModeNamedPipe | 0o666}, ErrKind},
		{entry{name: "dev", mode: fs.ModeDevice | 0o666}, ErrKind},
	} {
		files, dir, err := unpacked(t, zipped(t, fine, c.bad), roomy)
		if !errors.Is(err, c.want) || len(files) != 0 {
			t.Errorf("%q: %v, %v; want %v", c.bad.name, files, err, c.want)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("%q: it has written %v", c.bad.name, left)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\x00\x1b") {
			t.Errorf("%q: the message has control characters", c.bad.name)
		}
	}
}

func TestNothingIsWrittenThroughALinkThatIsThere(t *testing.T) {
	dir, away := t.TempDir(), t.TempDir()
	root, err := os.OpenRoot(dir)
	if err == nil {
		err = errors.Join(root.Mkdir("to", 0o700), os.Symlink(away, filepath.Join(dir, "to", "meshes")))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	data := zipped(t, entry{name: "meshes/x", text: "x"})
	_, err = Unpack(t.Context(), bytes.NewReader(data), int64(len(data)), root, "to", roomy)
	if left, _ := os.ReadDir(away); err == nil || len(left) != 0 {
		t.Errorf("%v; through the link it wrote %v", err, left)
	}
}

func TestBombsEndAtTheBudget(t *testing.T) {
	zeros := strings.Repeat("\x00", 1<<20)
	bomb := zipped(t, entry{name: "a", text: zeros}, entry{name: "b", text: zeros}, entry{name: "c",
		text: zeros})
	if len(bomb) > 8<<10 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	for what, data := range map[string][]byte{"a bomb": bomb, "a bomb that lies about its size": lying(t, bomb)} {
		_, dir, err := unpacked(t, data, Limits{Files: 10, Bytes: 1<<20 + 100})
		if !errors.Is(err, ErrTooMuch) && !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", what, err)
		}
		size := int64(0)
		left, _ := os.ReadDir(dir)
		for _, e := range left {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			size += info.Size()
		}
		if size > 1<<20+101 {
			t.Errorf("%s wrote %d bytes", what, size)
		}
	}
	many := make([]entry, 200)
	for i := range many {
		many[i].name = strings.Repeat("d/", i%20) + string(rune('a'+i%26)) + strings.Repeat("x", i)
	}
	if _, _, err := unpacked(t, zipped(t, many...), roomy); !errors.Is(err, ErrTooMuch) {
		t.Errorf("200 files: %v", err)
	}
}

// lying is an archive whose files claim to have 1 byte.
func lying(t *testing.T, data []byte) []byte {
	t.Helper()
	data = bytes.Clone(data)
	changed := 0
	for i := 0; i+46 <= len(data); i++ {
		if binary.LittleEndian.Uint32(data[i:]) == 0x02014b50 { // an entry of the directory
			binary.LittleEndian.PutUint32(data[i+24:], 1)
			changed++
		}
	}
	if changed != 3 {
		t.Fatalf("%d entries were changed", changed)
	}
	return data
}

func TestAListOfFilesWithoutEndIsNotReadToItsEnd(t *testing.T) {
	one := make([]byte, 46)
	binary.LittleEndian.PutUint32(one, 0x02014b50)
	end := make([]byte, 22)
	binary.LittleEndian.PutUint32(end, 0x06054b50)
	list := bytes.Repeat(one, 400_000)
	binary.LittleEndian.PutUint16(end[8:], 1)
	binary.LittleEndian.PutUint16(end[10:], 1)
	binary.LittleEndian.PutUint32(end[12:], uint32(len(list)))
	data := append(list, end...)
	read := testing.AllocsPerRun(1, func() {
		if _, _, err := unpacked(t, data, roomy); !errors.Is(err, ErrTooMuch) {
			t.Errorf("%v", err)
		}
	})
	if read > 50_000 {
		t.Errorf("it took %.0f allocations", read)
	}
}

func TestDamagedArchivesAreErrors(t *testing.T) {
	whole := zipped(t, entry{name: "a", text: strings.Repeat("abc", 1000)}, entry{name: "b", text: "x"})
	for n := range len(whole) {
		if _, _, err := unpacked(t, whole[:n], roomy); err == nil {
			t.Fatalf("the first %d of %d bytes are taken for all", n, len(whole))
		}
	}
	wrong := bytes.Clone(whole)
	sum := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte("x")))
	for i := bytes.Index(wrong, sum); i >= 0; i = bytes.Index(wrong, sum) {
		wrong[i] ^= 1
	}
	if _, _, err := unpacked(t, wrong, roomy); !errors.Is(err, ErrFormat) {
		t.Errorf("of another checksum: %v", err)
	}
	if _, _, err := unpacked(t, zipped(t, entry{name: "a"}, entry{name: "a"}), roomy); !errors.Is(err,
		fs.ErrExist) {
		t.Errorf("one name twice: %v", err)
	}
}

func TestUnpackingEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	data := zipped(t, entry{name: "a", text: "abc"})
	if _, err := Unpack(ctx, bytes.NewReader(data), int64(len(data)), root, ".", roomy); !errors.Is(err,
		context.Canceled) {
		t.Errorf("%v", err)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(zipped(f, entry{name: "model.sdf", text: "<sdf/>"}, entry{name: "meshes/x", text: "abc"}))
	f.Add(zipped(f, entry{name: "../x", text: "x"}))
	f.Add(zipped(f, entry{name: "l", text: "/", mode: fs.ModeSymlink | 0o777}))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := Limits{Files: 10, Bytes: 4 << 10}
		files, dir, err := unpacked(t, data, l)
		size := int64(0)
		wrong := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			if err == nil && !info.Mode().IsRegular() {
				t.Errorf("%s is %v", name, info.Mode())
			}
			size += info.Size()
			return err
		})
		if wrong != nil || size > l.Bytes+1 || err == nil && len(files) > l.Files {
			t.Errorf("%d bytes in %d files, %v", size, len(files), wrong)
		}
	})
}
