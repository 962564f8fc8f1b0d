package sim

// stats are the figures that the world knows; the engine adds its own.
func (w *World) stats() Stats {
	p := w.physics.Stats()
	return Stats{Steps: w.total, Bodies: p.Bodies, Awake: p.Awake, Contacts: p.Points}
}
