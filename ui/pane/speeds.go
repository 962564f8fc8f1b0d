package pane

import (
	"time"

	"simdeck/sim"
)

// speeds are those of entities in the last seconds of simulated time.
type speeds struct {
	at   time.Duration // of the last sample
	n    int           // samples so far
	kept [][pastSamples]float32
}

const (
	pastSamples = 10
	pastPeriod  = time.Second
)

// take takes a sample where one is due. before is the model of the samples so far.
func (p *speeds) take(before *sim.Model, s *sim.Snapshot) {
	if before != s.Model {
		p.move(before, s.Model)
	}
	if s.Time < p.at { // a reset, or back
		*p = speeds{kept: make([][pastSamples]float32, len(s.Model.Entities))}
	} else if p.n > 0 && s.Time-p.at < pastPeriod {
		return
	}
	p.at = s.Time
	for i := range min(len(p.kept), len(s.Entities)) {
		p.kept[i][p.n%pastSamples] = float32(speed(s, i))
	}
	p.n++
}

// move gives the samples to the same entities of another model; both are ordered by name.
func (p *speeds) move(before, now *sim.Model) {
	kept := make([][pastSamples]float32, len(now.Entities))
	for i, k := 0, 0; before != nil && i < len(before.Entities) && k < len(kept); {
		switch a, b := before.Entities[i].Name, now.Entities[k].Name; {
		case a < b:
			i++
		case a > b:
			k++
		default:
			if i < len(p.kept) {
				kept[k] = p.kept[i]
			}
			i, k = i+1, k+1
		}
	}
	p.kept = kept
}

// bars are the last w speeds of an entity, the fastest of them full. Nothing is drawn of what rests.
func (p *speeds) bars(index, w int) string {
	if index >= len(p.kept) {
		return ""
	}
	n, top := min(w, p.n, pastSamples), float32(0)
	for _, v := range p.kept[index] {
		top = max(top, v)
	}
	if top < restingPast {
		return ""
	}
	out := make([]rune, w)
	for i := range out {
		if out[i] = ' '; i >= w-n {
			out[i] = bar(p.kept[index][(p.n-w+i)%pastSamples], top)
		}
	}
	return string(out)
}

// bar is the column of a curve for a value from 0 to top.
func bar(v, top float32) rune {
	return []rune("▁▂▃▄▅▆▇█")[min(7, max(0, int(v/top*7.99)))]
}
