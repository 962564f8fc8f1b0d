package occupancy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/scene"
)

// setting is the content of the YAML file.
type setting struct {
	file       string
	image      string
	resolution float64
	origin     [3]float64
	negate     bool
	occupied   float32
	free       float32
	mode       string
	height     float64
	nodes      map[string]*yaml.Node
	notes      scene.Notes
}

// at is the position of a key, for messages.
func (s *setting) at(key string) string {
	if n := s.nodes[key]; n != nil {
		return fmt.Sprintf("%s:%d:%d", s.file, n.Line, n.Column)
	}
	return s.file + ":1:1"
}

func (s *setting) note(kind scene.NoteKind, n *yaml.Node, format string, args ...any) {
	s.notes = append(s.notes, scene.Note{Kind: kind, File: s.file, Line: n.Line, Column: n.Column,
		Text: fmt.Sprintf(format, args...)})
}

func (s *setting) fail(key, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", scene.ErrParse, s.at(key), fmt.Sprintf(format, args...))
}

// name is that of the file, or of its folder when all maps are called so.
func (s *setting) name() string {
	base := strings.TrimSuffix(path.Base(s.file), path.Ext(s.file))
	if folder := path.Base(path.Dir(s.file)); base == "map" && folder != "." && folder != "/" {
		base = folder
	}
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' ||
			r == '.' {
			return r
		}
		return '_'
	}, base)
	return clean[:min(len(clean), 100)]
}

// keys of a map; those after mode are our own.
const keys = " image resolution origin negate occupied_thresh free_thresh mode wall_height "

// Is reports that a text is the YAML of a map: that its lines give an image and a resolution. Height maps
// have a resolution and an origin, too.
func Is(data []byte) bool {
	has := func(key string) bool {
		return bytes.HasPrefix(data, []byte(key)) || bytes.Contains(data, []byte("\n"+key))
	}
	if !has("image:") {
		return has("resolution:") && has("origin:") && (has("occupied_thresh:") || has("negate:"))
	}
	return has("resolution:") || has("origin:") || bytes.HasPrefix(bytes.TrimSpace(data), []byte("image:"))
}

// settings reads the YAML.
func settings(file string, data []byte) (*setting, error) {
	s := &setting{file: file, nodes: map[string]*yaml.Node{}, mode: "trinary", occupied: 0.65, free: 0.196,
		height: wallHeight}
	if len(data) > maxText {
		return nil, s.fail("", "%d bytes; a map's YAML has at most %d", len(data), maxText)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, s.fail("", "the file is empty")
		}
		return nil, fmt.Errorf("%w: %s: %w", scene.ErrParse, file, err)
	}
	if doc.Content[0].Kind != yaml.MappingNode {
		return nil, s.fail("", "the file holds no keys")
	}
	top := doc.Content[0]
	for i := 0; i+1 < len(top.Content); i += 2 {
		k, v := top.Content[i], top.Content[i+1]
		switch _, twice := s.nodes[k.Value]; {
		case twice:
			s.note(scene.Suspicious, k, "a second %q; the first holds", clip(k.Value))
		case !strings.Contains(keys, " "+k.Value+" "):
			s.note(scene.Unsupported, k, "%q is not known", clip(k.Value))
		default:
			s.nodes[k.Value] = v
		}
	}
	var more yaml.Node
	if err := dec.Decode(&more); err == nil {
		s.note(scene.Suspicious, &more, "a second YAML document; only the first is read")
	}
	return s, s.fill()
}

func (s *setting) fill() error {
	for _, key := range []string{"image", "resolution", "origin"} {
		if s.nodes[key] == nil {
			return s.fail("", "there is no %q; a map has image, resolution, origin, negate, occupied_thresh and free_thresh",
				key)
		}
	}
	n := s.nodes["image"]
	if n.Kind != yaml.ScalarNode || strings.HasPrefix(n.Tag, "!!python") || n.Value == "" {
		return s.fail("image", "the name of a picture is needed")
	}
	s.image = n.Value
	var err error
	if s.resolution, err = s.number("resolution", 0.05); err != nil {
		return err
	}
	if !(s.resolution > 0) || s.resolution > 1000 {
		return s.fail("resolution", "a resolution of %g m; a cell has an edge above 0 and up to 1000 m",
			s.resolution)
	}
	if err := s.corner(); err != nil {
		return err
	}
	if err := s.thresholds(); err != nil {
		return err
	}
	if s.height, err = s.number("wall_height", wallHeight); err != nil {
		return err
	}
	if !(s.height > 0) || s.height > 1000 {
		return s.fail("wall_height", "walls of %g m; want above 0 and up to 1000 m", s.height)
	}
	return s.modes()
}

// number is the finite number of a key, or otherwise when it is not given.
func (s *setting) number(key string, otherwise float64) (float64, error) {
	n := s.nodes[key]
	if n == nil {
		return otherwise, nil
	}
	f, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, s.fail(key, "%s is %q, not a finite number", key, clip(n.Value))
	}
	return f, nil
}

// corner reads the origin: x, y and yaw of the lower left corner.
func (s *setting) corner() error {
	n := s.nodes["origin"]
	if n.Kind != yaml.SequenceNode || len(n.Content) != 3 {
		return s.fail("origin", "origin has %d numbers, needs x, y and yaw", len(n.Content))
	}
	for i, k := range n.Content {
		f, err := strconv.ParseFloat(k.Value, 64)
		if k.Kind != yaml.ScalarNode || err != nil || !(math.Abs(f) <= maxExtent) {
			return s.fail("origin", "%q in origin is no number of metres or radians", clip(k.Value))
		}
		s.origin[i] = f
	}
	return nil
}

// thresholds reads from which shade a cell is occupied, and up to which it is free.
func (s *setting) thresholds() error {
	for _, t := range []struct {
		key string
		to  *float32
	}{{"occupied_thresh", &s.occupied}, {"free_thresh", &s.free}} {
		f, err := s.number(t.key, float64(*t.to))
		if err != nil {
			return err
		}
		switch n := s.nodes[t.key]; {
		case n == nil:
			s.note(scene.Suspicious, s.nodes["image"], "there is no %q; using %g", t.key, f)
		case f > 1 && f <= 100:
			s.note(scene.Suspicious, n, "%s is %g; using %g of 100", t.key, f, f)
			f /= 100
		case f < 0 || f > 1:
			return s.fail(t.key, "%s is %g; want a share from 0 to 1", t.key, f)
		}
		*t.to = float32(f)
	}
	if s.free > s.occupied {
		s.note(scene.Suspicious, s.nodes["image"], "free_thresh %g is above occupied_thresh %g", s.free,
			s.occupied)
	}
	return nil
}

func (s *setting) modes() error {
	if n := s.nodes["negate"]; n != nil {
		switch strings.ToLower(n.Value) {
		case "0", "false", "no", "off":
		case "1", "true", "yes", "on":
			s.negate = true
		default:
			return s.fail("negate", "negate is %q; want 0 or 1", clip(n.Value))
		}
	} else {
		s.note(scene.Suspicious, s.nodes["image"], "there is no \"negate\"; using 0")
	}
	if n := s.nodes["mode"]; n != nil {
		s.mode = strings.ToLower(n.Value)
		if s.mode != "trinary" && s.mode != "scale" && s.mode != "raw" {
			return s.fail("mode", "mode %q; trinary, scale and raw are known", clip(n.Value))
		}
	}
	return nil
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}
