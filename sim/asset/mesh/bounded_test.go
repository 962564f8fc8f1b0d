//go:build unix

package mesh

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Bounds of the cost of a file of a few hundred kilobytes: the total of allocated bytes, which exceeds the
// peak, and CPU time.
const (
	mostBytes = 256 << 20
	mostTime  = time.Second
)

// cost returns the memory and the time of decoding.
func cost(name string, data []byte, beside map[string][]byte) (allocated uint64, took time.Duration,
	err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := worked()
	_, err = DecodeWith(name, data, beside)
	took = worked() - start
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, took, err
}

// worked is the CPU time of this process: on a busy machine wall time tells little.
func worked() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func bounded(t *testing.T, name string, data []byte, beside map[string][]byte) {
	t.Helper()
	allocated, took, err := cost(name, data, beside)
	if allocated > mostBytes || took > mostTime {
		t.Errorf("%s of %d bytes: %d MB, %v (%v); want at most %d MB and %v", name, len(data), allocated>>20,
			took, err, mostBytes>>20, mostTime)
	}
}

func TestMalformedMeshesCostLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	dir := corpus(t)
	files, err := filepath.Glob(filepath.Join(dir, "malformed", "mesh", "*"))
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		bounded(t, file, data, neighbours(file, data))
	}
}

// bombs are small files that ask for much: each would be gigabytes or minutes where counts and instances are
// believed.
func bombs() map[string]string {
	many := func(n int, text string) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }
	zero := base64.StdEncoding.EncodeToString(make([]byte, 3000))
	gltfOf := func(nodes, primitives, accessors, more string) string {
		return `{"asset":{"version":"2.0"},"nodes":[` + nodes + `],"meshes":[{"primitives":[` + primitives +
			`]}],"accessors":[` + accessors +
			`],"bufferViews":[{"buffer":0,"byteLength":3000}],"buffers":[{"byteLength":3000,"uri":"data:;base64,` +
			zero + `"}]` + more + `}`
	}
	float := `{"bufferView":0,"componentType":5126,"type":"VEC3","count":%d}`
	levels := ""
	for i := range 60 {
		levels += fmt.Sprintf(`<node id="n%d"><instance_node url="#n%d"/><instance_node url="#n%d"/></node>`,
			i, i+1, i+1)
	}
	polygon := strings.Repeat("0 1 2 3 ", 100)
	return map[string]string{
		"instances.gltf": gltfOf(many(90_000, `{"mesh":0}`), `{"attributes":{"POSITION":0}}`,
			fmt.Sprintf(float, 250), ""),
		"hollow.gltf": gltfOf(`{"mesh":0}`, many(9000, `{"attributes":{"POSITION":0}}`),
			`{"componentType":5126,"type":"VEC3","count":65536}`, ""),
		"huge.gltf": gltfOf(`{"mesh":0}`, `{"attributes":{"POSITION":0}}`,
			fmt.Sprintf(float, int64(1)<<60), ""),
		"stride.gltf": gltfOf(`{"mesh":0}`, `{"attributes":{"POSITION":0}}`,
			`{"bufferView":0,"byteOffset":9223372036854775807,"componentType":5126,"type":"VEC3","count":9}`,
			""),
		"marks.gltf": `{"asset":{"version":"2.0"},"nodes":[` + many(1_500_000, "{}") + `]}`,
		"deep.gltf":  strings.Repeat(`{"a":`, 200_000),
		"pictures.gltf": gltfOf(`{"mesh":0}`, many(2000, `{"attributes":{"POSITION":0},"material":0}`),
			fmt.Sprintf(float, 3),
			`,"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[{"source":0}],"images":[{"bufferView":0}]`),
		"count.ply": strings.Replace(plyHead3, "vertex 4", "vertex 999999999999", 1) +
			"element face 999999999999\nproperty list uint int vertex_indices\nend_header\n",
		"empty.ply": "ply\nformat ascii 1.0\nelement a 999999999999999999\nelement vertex 3\nproperty float x\nend_header\n1\n2\n3\n",
		"list.ply":  "ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list uint uchar vertex_indices\nend_header\n\xff\xff\xff\xff\x00",
		"count.stl": binaryTriangles("", 2, 4_000_000_000),
		"loop.stl": "solid\nfacet\nouter loop\n" + strings.Repeat("vertex 0 0 0\n", 20_000) +
			"endloop\nendfacet\nendsolid\n",
		"doubling.dae": daeHead + daeTris + daeMid + levels +
			`<node id="n60"><instance_geometry url="#g"/></node>` + daeTail,
		"instances.dae": daeHead + strings.Repeat(`<polylist count="100"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#s" offset="0"/><vcount>`+
			strings.Repeat("4 ", 100)+`</vcount><p>`+polygon+`</p></polylist>`, 10) +
			daeMid + strings.Repeat(`<node><instance_geometry url="#g"/></node>`, 5000) + daeTail,
		"polygon.obj":   "v 0 0 0\nv 1 0 0\nv 0 1 0\nf " + strings.Repeat("1 2 3 ", 50_000) + "\n",
		"backslash.obj": strings.Repeat("\\\n", 300_000),
		"nothing.obj":   strings.Repeat("f\n", 300_000),
	}
}

func TestBombsCostLittle(t *testing.T) {
	for name, text := range bombs() {
		bounded(t, name, []byte(text), nil)
	}
}
