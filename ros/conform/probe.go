package conform

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"simdeck/ros/attach"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif2"
)

// Probe is the access of a check to the simulator. The first thing that goes wrong ends the check's
// questions: later ones are not sent and nothing more is judged.
type Probe struct {
	ctx     context.Context
	remote  *attach.Remote
	sim     attach.Simulator
	suite   *suite
	faults  []string // violated requirements
	skipped string   // why it cannot be told; "" when it can
	broken  bool     // a question was not answered
	made    []string // entities that it spawned
}

// fault notes that something does not hold.
func (p *Probe) fault(format string, args ...any) {
	if p.over() {
		return
	}
	p.faults = append(p.faults, fmt.Sprintf(format, args...))
}

// skip says that it cannot be told here.
func (p *Probe) skip(format string, args ...any) {
	if !p.over() {
		p.skipped = fmt.Sprintf(format, args...)
	}
}

// over reports whether there is nothing more to find out.
func (p *Probe) over() bool { return len(p.faults) > 0 || p.skipped != "" }

// that notes a fault unless something holds.
func (p *Probe) that(holds bool, format string, args ...any) {
	if !holds {
		p.fault(format, args...)
	}
}

// call asks the simulator; a probe that is over gives an empty response.
func call[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](p *Probe, svc msgs.Service[Q, S], q *Q) *S {
	empty := new(S)
	if p.over() {
		return empty
	}
	s, err := attach.Ask[Q, S, PQ, PS](p.ctx, p.remote, svc, q)
	if err != nil {
		p.fault("%v", err)
		p.broken = true
		p.suite.lost(err)
		return empty
	}
	return s
}

// has reports whether the simulator serves something and advertises it.
func (p *Probe) has(needs string) bool {
	return Check{Needs: needs}.missing(p.sim, p.suite.features) == ""
}

// want notes a fault unless a result has one of some codes.
func (p *Probe) want(what, service string, r simif2.Result, codes ...uint8) {
	if p.over() {
		return
	}
	p.suite.judge(service, r)
	if slices.Contains(codes, r.Result) {
		return
	}
	names := p.suite.codesOf(service)
	var wanted []string
	for _, c := range codes {
		wanted = append(wanted, fmt.Sprintf("%s (%d)", names[c], c))
	}
	got := names[r.Result]
	if got == "" {
		got = "a code that " + service + " does not have"
	}
	text := fmt.Sprintf("%s: %s (%d), want %s", what, got, r.Result, strings.Join(wanted, " or "))
	if r.ErrorMessage != "" {
		text += fmt.Sprintf("; it says %q", r.ErrorMessage)
	}
	p.fault("%s", text)
}

// ok wants OK.
func (p *Probe) ok(what, service string, r simif2.Result) { p.want(what, service, r, simif2.ResultOK) }

// refused wants anything but OK.
func (p *Probe) refused(what, service string, r simif2.Result) {
	if p.over() {
		return
	}
	p.suite.judge(service, r)
	p.that(r.Result != simif2.ResultOK, "%s: OK (1), want a refusal", what)
}

func kindOf(service string) string {
	kind, _ := attach.Kind(service) // of the table's own names
	return kind
}

// until looks again until something holds, at most for a limit.
func (p *Probe) until(limit time.Duration, holds func() bool) bool {
	for end := time.Now().Add(limit); ; {
		if p.over() {
			return false
		}
		if holds() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
		p.wait(10 * time.Millisecond)
	}
}

// wait lets time pass.
func (p *Probe) wait(d time.Duration) {
	select {
	case <-time.After(d):
	case <-p.ctx.Done():
		p.fault("%v", context.Cause(p.ctx))
	}
}
