package workers

import (
	"slices"
	"strings"
	"time"
)

// startPeriod is the time in which a publisher may have another worker started, after as many at once as are
// its share.
const startPeriod = 10 * time.Second

// roster decides which of the simulations that publishers ask for run: a state machine without clock or
// process. A running one stays while it is asked for. Others follow in the order of their requests. A
// publisher has a share of the places, and a rate of starts.
type roster struct {
	most    int
	running []Simulation
	starts  map[string]*allowance // by publisher
}

// allowance is a token bucket.
type allowance struct {
	left time.Duration // a start takes a startPeriod of it
	at   time.Time
}

func newRoster(most int) *roster { return &roster{most: most, starts: map[string]*allowance{}} }

// share is the number of workers that one publisher may have: three quarters, so that others find a place.
func (r *roster) share() int { return max(1, r.most*3/4) }

// changes are the workers to stop and to start for a list.
type changes struct {
	stop, start []Simulation
	wait        time.Duration // after which more may start; 0: nothing waits for its time
	full, more  int           // simulations without a place, and beyond their publisher's share
}

// key is the namespace of a simulation. /lab and lab are one.
func key(s *Simulation) string { return strings.TrimPrefix(s.Namespace, "/") }

func (s *Simulation) same(o *Simulation) bool {
	return key(s) == key(o) && s.Object == o.Object && s.ReportPath == o.ReportPath
}

// update takes the list of simulations that are asked for, the oldest first.
func (r *roster) update(list []Simulation, now time.Time) (c changes) {
	wanted, has := map[string]*Simulation{}, map[string]int{}
	for i := range list {
		if k := key(&list[i]); wanted[k] == nil {
			wanted[k] = &list[i]
		}
	}
	r.running = slices.DeleteFunc(r.running, func(s Simulation) bool {
		if wanted[key(&s)] == nil {
			c.stop = append(c.stop, s)
		}
		return wanted[key(&s)] == nil
	})
	for i := range r.running {
		s, w := &r.running[i], wanted[key(&r.running[i])]
		delete(wanted, key(s))
		has[w.Publisher]++
		switch {
		case s.same(w):
			s.Publisher = w.Publisher
		case r.mayStart(w.Publisher, now, &c):
			c.stop, c.start = append(c.stop, *s), append(c.start, *w)
			*s = *w
		}
	}
	for i := range list {
		w := &list[i]
		if wanted[key(w)] != w {
			continue
		}
		switch {
		case len(r.running) >= r.most:
			c.full++
		case w.Publisher != "" && has[w.Publisher] >= r.share():
			c.more++
		case r.mayStart(w.Publisher, now, &c):
			has[w.Publisher]++
			c.start, r.running = append(c.start, *w), append(r.running, *w)
		}
	}
	return c
}

// mayStart takes a start of a publisher's allowance, or notes when there is one.
func (r *roster) mayStart(publisher string, now time.Time, c *changes) bool {
	if publisher == "" {
		return true
	}
	full := time.Duration(r.share()) * startPeriod
	for who, a := range r.starts {
		if a.left = min(full, a.left+now.Sub(a.at)); a.left >= full {
			delete(r.starts, who) // as good as new
		}
		a.at = now
	}
	a := r.starts[publisher]
	if a == nil {
		a = &allowance{full, now}
		r.starts[publisher] = a
	}
	if wait := startPeriod - a.left; wait > 0 {
		if c.wait == 0 || wait < c.wait {
			c.wait = wait
		}
		return false
	}
	a.left -= startPeriod
	return true
}
