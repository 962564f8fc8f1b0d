package bundle

import (
	"encoding/json"
	"errors"
	"fmt"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxCorners bounds the corners of all polygons together.
const maxCorners = 500_000

// shape is a GeoJSON object (RFC 7946) as far as areas go; coordinates are metres in the map frame.
type shape struct {
	Type        string          `json:"type"`
	Features    []shape         `json:"features"`
	Geometry    *shape          `json:"geometry"`
	Geometries  []shape         `json:"geometries"`
	Coordinates json.RawMessage `json:"coordinates"`
}

// drivable reads the polygons outside of which a vehicle is off the road.
func (b *bundle) drivable() error {
	at := b.spelled("geometry", "drivable", "drivable_geojson")
	data, name, err := b.part(true, maxGeoJSON, at...)
	if err != nil {
		return err
	}
	n := b.top.find(at...)
	var s shape
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("%w: %s:%w", scene.ErrParse, name, source.JSONError(data, int64(len(data)), err))
	}
	if err := b.areas(&s, 0); err != nil {
		return b.top.fail(n, "%s: %v", name, err)
	}
	if len(b.site.Drivable) == 0 {
		b.note(b.top, n, scene.Suspicious, "%s holds no polygon; everywhere is off the road", name)
		b.site.Drivable = []scene.Polygon{{}}
	}
	return nil
}

func (b *bundle) areas(s *shape, depth int) error {
	if depth > 8 {
		return errors.New("collections inside collections deeper than 8")
	}
	switch s.Type {
	case "FeatureCollection", "Feature", "GeometryCollection":
		all := append(append([]shape{}, s.Features...), s.Geometries...)
		if s.Geometry != nil {
			all = append(all, *s.Geometry)
		}
		for i := range all {
			if err := b.areas(&all[i], depth+1); err != nil {
				return fmt.Errorf("%s %d: %w", s.Type, i, err)
			}
		}
		return nil
	case "Polygon":
		var rings [][][]float64
		if err := json.Unmarshal(s.Coordinates, &rings); err != nil {
			return fmt.Errorf("coordinates of a polygon: %w", err)
		}
		return b.polygon(rings)
	case "MultiPolygon":
		var all [][][][]float64
		if err := json.Unmarshal(s.Coordinates, &all); err != nil {
			return fmt.Errorf("coordinates of polygons: %w", err)
		}
		for _, rings := range all {
			if err := b.polygon(rings); err != nil {
				return err
			}
		}
		return nil
	case "Point", "MultiPoint", "LineString", "MultiLineString":
		return nil
	}
	return fmt.Errorf("type %q is none of GeoJSON", clip(s.Type))
}

func (b *bundle) polygon(rings [][][]float64) error {
	p := scene.Polygon{}
	for i, ring := range rings {
		var out []r3.Vec
		for k, c := range ring {
			if len(c) < 2 {
				return fmt.Errorf("corner %d of ring %d has %d numbers, needs x and y", k, i, len(c))
			}
			out = append(out, r3.V(c[0], c[1], 0))
		}
		if len(out) > 1 && out[0] == out[len(out)-1] {
			out = out[:len(out)-1]
		}
		if len(out) < 3 {
			return fmt.Errorf("ring %d has %d corners, at least 3 make an area", i, len(out))
		}
		p.Rings = append(p.Rings, out)
	}
	total := 0
	for _, other := range append(b.site.Drivable, p) {
		for _, ring := range other.Rings {
			total += len(ring)
		}
	}
	if total > maxCorners {
		return fmt.Errorf("more than %d corners in all", maxCorners)
	}
	if len(p.Rings) > 0 {
		b.site.Drivable = append(b.site.Drivable, p)
	}
	return nil
}
