package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"
	"time"

	"simdeck/sim"
)

// fleetMember is a simulator in the table as JSON. What is not known is left out.
type fleetMember struct {
	Name     string    `json:"name"`
	Host     string    `json:"host"`
	World    string    `json:"world,omitempty"`
	State    string    `json:"state,omitempty"`
	Time     *float64  `json:"time,omitempty"`   // simulated, s
	Factor   *float64  `json:"factor,omitempty"` // simulated seconds in a second
	Entities *int      `json:"entities,omitempty"`
	Seen     time.Time `json:"seen"`
	Lost     bool      `json:"lost"`
	Fault    string    `json:"fault,omitempty"`
}

// How long a table that is printed once may take to be whole.
const (
	fleetShows   = 5 * time.Second
	fleetSettles = 1500 * time.Millisecond // nothing new for so long
)

// tableOnce prints what there is as soon as nothing new shows, or the time is up.
func tableOnce(out io.Writer, within time.Duration) func(context.Context, sim.Fleet) error {
	return func(ctx context.Context, f sim.Fleet) error {
		ctx, cancel := context.WithTimeout(ctx, cmp.Or(within, fleetShows))
		defer cancel()
		settleFleet(ctx, f)
		list := []fleetMember{}
		for _, m := range f.Members() {
			list = append(list, tabled(&m))
		}
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
}

// settleFleet waits until those that are there have told all, and no more come.
func settleFleet(ctx context.Context, f sim.Fleet) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var known []string
	news := time.Now()
	for {
		var now []string
		for _, m := range f.Members() {
			now = append(now, m.ID, m.World, m.State.String())
			if m.State == sim.Playing && m.Factor < 0 && m.Entities > 0 { // it takes two looks
				now = append(now, time.Now().String())
			}
		}
		if !slices.Equal(now, known) {
			known, news = now, time.Now()
		}
		if len(known) > 0 && time.Since(news) > fleetSettles {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func tabled(m *sim.Member) fleetMember {
	r := fleetMember{Name: m.Name, Host: m.Host, World: m.World, Seen: m.Seen.UTC().Round(time.Millisecond),
		Lost: m.Lost, Fault: m.Fault}
	if m.State != sim.Unknown {
		r.State = m.State.String()
	}
	if m.Factor >= 0 {
		r.Factor = &m.Factor
	}
	if m.Entities >= 0 {
		r.Entities = &m.Entities
	}
	if m.Timed {
		at := m.Time.Seconds()
		r.Time = &at
	}
	return r
}
