package control

import (
	"fmt"
	"slices"

	"simdeck/sim"
	"simdeck/sim/scene"
)

// Lamps are the lights of a model's lamps. Those of a signal follow its phases instead.
type Lamps struct {
	name  string // of the entity, for errors
	spec  []scene.Lamp
	glows []scene.Glow // by spec; nil: there are none, or a signal's
}

// newLamps are the lamps of an entity, all off.
func newLamps(name string, m *scene.ModelSpec) Lamps {
	l := Lamps{name: name, spec: m.Lamps()}
	if len(l.spec) > 0 && m.Signal == nil {
		l.glows = make([]scene.Glow, len(l.spec))
	}
	return l
}

// Lamps are the lamps that it lights.
func (c *Controller) Lamps() *Lamps { return &c.lamps }

// Set gives lamps their light, or with an error none.
func (l *Lamps) Set(list []sim.LampGlow) error {
	switch {
	case len(l.spec) == 0:
		return fmt.Errorf("%w: entity %q has no lamps", sim.ErrUnsupported, l.name)
	case l.glows == nil:
		return fmt.Errorf("%w: the phases of signal %s light its lamps: set a phase", sim.ErrUnsupported, l.name)
	}
	for _, k := range list {
		if k.Lamp < 0 || k.Lamp >= len(l.glows) {
			return fmt.Errorf("%w: entity %q has no lamp %d, it has %d", sim.ErrNotFound, l.name, k.Lamp,
				len(l.glows))
		}
		if err := checkGlow(k.Glow); err != nil {
			return fmt.Errorf("lamp %d of %q: %w", k.Lamp, l.name, err)
		}
	}
	for _, k := range list {
		l.glows[k.Lamp] = k.Glow
	}
	return nil
}

func checkGlow(g scene.Glow) error {
	for _, x := range g {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("%w: a light of %g; want 0 to 1", sim.ErrFailed, x)
		}
	}
	return nil
}

// Append appends the lights of all lamps, by ModelSpec.Lamps. Signal is the entity's; nil: it is none.
func (l *Lamps) Append(dst []scene.Glow, signal *Signal) []scene.Glow {
	if signal == nil {
		return append(dst, l.glows...)
	}
	for i := range l.spec {
		glow := scene.Glow{}
		if signal.Aspect()&(1<<i) != 0 {
			glow = l.spec[i].Colour
		}
		dst = append(dst, glow)
	}
	return dst
}

// Restorable are the lights as Restore takes them up; nil: none can be set.
func (l *Lamps) Restorable() []scene.Glow { return slices.Clone(l.glows) }

// Restore takes up lights where another controller left them. Without any, lamps stay off: states of earlier
// versions have none.
func (l *Lamps) Restore(list []scene.Glow) error {
	if len(list) != 0 && len(list) != len(l.glows) {
		return fmt.Errorf("%w: %d lamps; want %d", sim.ErrFailed, len(list), len(l.glows))
	}
	for _, g := range list {
		if err := checkGlow(g); err != nil {
			return err
		}
	}
	copy(l.glows, list)
	return nil
}
