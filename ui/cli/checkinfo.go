package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/cli/store"
	"simdeck/ui/readfile"
)

// writeInfo writes the sidecar of a model file: its category and bounds. An existing sidecar keeps its other
// entries. Its bounds change only with overwrite.
func (r *checked) writeInfo(m *scene.ModelSpec, file string, overwrite bool) error {
	if m == nil {
		return fmt.Errorf("%w: %s is a world; --write-info is for robots and objects", ErrUsage, file)
	}
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is no file; --write-info writes beside one", ErrUsage, file)
	}
	box, err := engine.RestBounds(m)
	if err != nil {
		return fmt.Errorf("bounds of %s: %w", file, err)
	}
	name := strings.TrimSuffix(file, filepath.Ext(file)) + ".simulationinfo"
	fields := map[string]json.RawMessage{}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if overwrite {
		if fields, err = readInfo(name); err != nil {
			return err
		}
	}
	fields["bounds"] = boundsText(box)
	if _, said := fields["category"]; !said {
		fields["category"] = json.RawMessage(fmt.Sprintf("%q", m.Info.Category))
	}
	text, err := json.MarshalIndent(fields, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if overwrite {
		err = replaceFile(name, append(text, '\n'))
	} else {
		err = writeNew(name, append(text, '\n'), flags)
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s is there already; --overwrite puts new bounds into it", ErrUsage, name)
	}
	r.Info = name
	return err
}

func writeNew(name string, text []byte, flags int) error {
	f, err := os.OpenFile(name, flags, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(name) // half of one would be taken for a whole one
	}
	return store.Explain(err)
}

// replaceFile writes a whole file or nothing.
func replaceFile(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return store.Explain(err)
}

// mostInfo bounds a sidecar, in bytes.
const mostInfo = 1 << 20

// readInfo is the content of a sidecar; empty where there is none.
func readInfo(name string) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	text, err := readfile.All(name, mostInfo)
	if errors.Is(err, fs.ErrNotExist) {
		return fields, nil
	}
	if err == nil {
		err = json.Unmarshal(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &fields)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", scene.ErrParse, name, err)
	}
	if fields == nil {
		fields = map[string]json.RawMessage{}
	}
	return fields, nil
}

// boundsText is a box in metres, to the micrometre and outward.
func boundsText(box r3.Box) json.RawMessage {
	row := func(v r3.Vec, round func(float64) float64) string {
		f := func(x float64) float64 { return round(x*1e6)/1e6 + 0 } // no -0
		return fmt.Sprintf("[%g, %g, %g]", f(v.X), f(v.Y), f(v.Z))
	}
	down := func(x float64) float64 { return math.Floor(x + 1e-4) }
	up := func(x float64) float64 { return math.Ceil(x - 1e-4) }
	return json.RawMessage(fmt.Sprintf(`{"box": {"min": %s, "max": %s}}`, row(box.Min, down),
		row(box.Max, up)))
}
