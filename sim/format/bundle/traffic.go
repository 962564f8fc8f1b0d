package bundle

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/format/traffic"
	"simdeck/sim/scene"
	"simdeck/sim/yamlsrc"
)

// traffic adds what moves by itself, and the traffic signals. The format leaves room for them under these
// names.
func (b *bundle) traffic() error {
	var d traffic.Document
	for _, part := range []struct {
		section, key string
		parts        func(t *table) traffic.Parts
	}{
		{"traffic", "lanes", func(t *table) traffic.Parts { return traffic.Parts{Lanes: t.find("lanes")} }},
		{"actors", "trajectories",
			func(t *table) traffic.Parts { return traffic.Parts{Actors: t.find("actors")} }},
		{"traffic", "signals",
			func(t *table) traffic.Parts { return traffic.Parts{Signals: t.find("signals")} }},
	} {
		t, err := b.tableOf(false, part.section, part.key)
		if err != nil {
			return err
		}
		if t == nil {
			continue
		}
		key := part.key
		if key == "trajectories" {
			key = "actors"
		}
		t.leftover(b, "version", key)
		r := &yamlsrc.Reader{File: t.file, Format: scene.ErrParse}
		got := traffic.Read(r, part.parts(t), d.Lanes)
		if r.Err != nil {
			return r.Err
		}
		d.Lanes, d.Actors, d.Signals = append(d.Lanes, got.Lanes...), append(d.Actors, got.Actors...),
			append(d.Signals, got.Signals...)
	}
	for _, section := range []string{"actors", "traffic"} {
		if n := b.top.find(section); n != nil && n.Kind == yaml.MappingNode {
			(&table{file: b.top.file, root: n}).leftover(b, map[string][]string{"actors": {"trajectories"},
				"traffic": {"lanes", "signals"}}[section]...)
		}
	}
	if err := d.Settle(b.earth.at); err != nil {
		return err
	}
	for _, l := range d.Lanes {
		b.site.Lanes = append(b.site.Lanes, &l.Lane)
	}
	return b.populate(&d)
}

// populate puts the actors and signals of a document into the world.
func (b *bundle) populate(d *traffic.Document) error {
	for i := range d.Actors {
		a := &d.Actors[i]
		if err := b.add(scene.Placed{Name: a.Name, Model: a.Model(), Pose: a.Begins()}); err != nil {
			return err
		}
	}
	for i := range d.Signals {
		s := &d.Signals[i]
		if err := b.add(scene.Placed{Name: s.Name, Model: s.Model(), Pose: s.Pose(),
			Static: true}); err != nil {
			return err
		}
	}
	return nil
}

// add puts a model of traffic into the world, which has no other of that name.
func (b *bundle) add(p scene.Placed) error {
	if p.Name == b.site.Ego || slices.ContainsFunc(b.spec.Models,
		func(o scene.Placed) bool { return o.Name == p.Name }) {
		return b.top.fail(b.top.find("actors"), "traffic has a %q, as the bundle has; want another name", p.Name)
	}
	b.spec.Models = append(b.spec.Models, p)
	return nil
}

// at is the height of the ground at a place, bilinear between the samples; beyond the edge it is that of the
// edge.
func (h *heights) at(x, y float64) float64 {
	cell := func(v, origin float64, n int) (int, float64) {
		v = max(0, min((v-origin)/h.step, float64(n-1)))
		i := min(int(v), n-2)
		return i, v - float64(i)
	}
	i, u := cell(x, h.origin.X, h.width)
	j, v := cell(y, h.origin.Y, h.height)
	z := func(i, j int) float64 { return float64(h.z[j*h.width+i]) }
	low := z(i, j) + float64(u*(z(i+1, j)-z(i, j)))
	high := z(i, j+1) + float64(u*(z(i+1, j+1)-z(i, j+1)))
	return h.origin.Z + low + float64(v*(high-low))
}
