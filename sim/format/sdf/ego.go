package sdf

import (
	"cmp"
	"errors"
	"strings"

	"simdeck/sim/format/ego"
	"simdeck/sim/scene"
)

// ego reads which model of a world is its ego vehicle, and the parameters that it does not leave to the
// model.
func (m *model) ego(spec *scene.WorldSpec) error {
	n := m.node.Child("simdeck:ego")
	if n == nil {
		return nil
	}
	name := strings.TrimSpace(cmp.Or(n.ValueOf("model"), n.Text))
	err := ego.Choose(spec, name, func(p *ego.Params) error {
		for _, k := range n.Kids {
			if k.Name == "model" {
				continue
			}
			if err := p.Set(k.Name, strings.TrimSpace(k.Text)); err != nil {
				return m.doc.Errorf(k, "%v", err)
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, scene.ErrParse) {
		return m.doc.Errorf(n, "%v", err)
	}
	return err
}
