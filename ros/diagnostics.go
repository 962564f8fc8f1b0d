package ros

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"simdeck/ros/msgs/diagnosticmsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/ros/serve"
	"simdeck/sim"
)

const (
	// diagnosticPeriod is the interval of diagnostics, as of diagnostic_updater; changes are published within
	// diagnosticLook.
	diagnosticPeriod = time.Second
	diagnosticLook   = 100 * time.Millisecond
	// mostDiagnosed is the number of contained entities that have a status each.
	mostDiagnosed = 64
	// slowStep is the real time of one step from which on diagnostics warn, slowFactor the part of the
	// requested real-time factor below which they do.
	slowStep   = time.Second
	slowFactor = 0.5
)

// declareDiagnostics publishes how the simulation does on a topic, while the node runs.
func (b *Bridge) declareDiagnostics(topic string) error {
	p, err := node.NewPublisher[diagnosticmsgs.DiagnosticArray](b.node, topic, node.DefaultQoS())
	if err != nil {
		return err
	}
	b.node.Go(func(ctx context.Context) { b.diagnose(ctx, p) })
	return nil
}

// diagnose publishes until the engine or the node ends.
func (b *Bridge) diagnose(ctx context.Context, p *node.Publisher[diagnosticmsgs.DiagnosticArray]) {
	pictures := b.backend.Subscribe(sim.Latest(diagnosticLook))
	defer pictures.Close()
	pictures.WantSensors(false)
	told := health(b.backend.Snapshot())
	tell := func(s *sim.Snapshot) {
		told = health(s)
		if err := p.Publish(diagnostics(b.node.FullName(), s)); err != nil && ctx.Err() == nil {
			b.node.Log().Warn("diagnostics are not published", "error", err)
		}
	}
	serve.EachSnapshot(ctx, pictures, func(s *sim.Snapshot) bool {
		if health(s) != told {
			tell(s)
		}
		return true
	}, serve.Ticker{Period: diagnosticPeriod, Do: func(time.Time) { tell(b.backend.Snapshot()) }})
}

// health is the state whose changes are published at once.
func health(s *sim.Snapshot) string {
	return fmt.Sprint(s.Stats.Contained, s.Halted, s.Stats.Missed, waiting(s))
}

// waiting says for whom the next step waits; "": for nobody.
func waiting(s *sim.Snapshot) string {
	var all []string
	for _, a := range s.Waiting {
		all = append(all, strings.TrimSuffix(a.Who+": "+a.What, ": "))
	}
	return strings.Join(all, "; ")
}

// diagnostics are the status of the simulation, and one for each contained entity.
func diagnostics(who string, s *sim.Snapshot) *diagnosticmsgs.DiagnosticArray {
	m := &diagnosticmsgs.DiagnosticArray{Header: stdmsgs.Header{Stamp: node.SimTime(s.Time)}}
	m.Status = append(m.Status, simulationStatus(who, s))
	for i := range s.Entities {
		if f := s.Entities[i].Fault; f != nil && len(m.Status) <= mostDiagnosed {
			m.Status = append(m.Status, faultStatus(who, s.Model.Entities[i].Name, f))
		}
	}
	return m
}

func simulationStatus(who string, s *sim.Snapshot) diagnosticmsgs.DiagnosticStatus {
	d := diagnosticmsgs.DiagnosticStatus{Name: who + ": simulation", HardwareID: s.Model.World.Name,
		Message: s.State.String()}
	slow := s.State == sim.Playing && s.Pacing.Asked > 0 && s.Pacing.Measured > 0 &&
		s.Pacing.Measured < slowFactor*s.Pacing.Asked
	switch {
	case s.Halted != "":
		d.Level, d.Message = diagnosticmsgs.DiagnosticStatusError, "paused: "+s.Halted
	case s.Stats.Contained > 0:
		d.Level, d.Message = diagnosticmsgs.DiagnosticStatusError,
			fmt.Sprintf("%d contained; move, reset or delete them", s.Stats.Contained)
	case len(s.Waiting) > 0:
		d.Level, d.Message = diagnosticmsgs.DiagnosticStatusWarn, "waits for "+waiting(s)
	case s.Stats.StepCost >= slowStep:
		d.Level, d.Message = diagnosticmsgs.DiagnosticStatusWarn,
			fmt.Sprintf("a step takes %v", s.Stats.StepCost.Round(time.Millisecond))
	case slow:
		d.Level, d.Message = diagnosticmsgs.DiagnosticStatusWarn,
			fmt.Sprintf("the real-time factor is %.3g; %.3g is asked for", s.Pacing.Measured, s.Pacing.Asked)
	}
	d.Values = values(
		"state", s.State.String(), "real_time_factor", number(s.Pacing.Measured), "asked_real_time_factor",
		number(s.Pacing.Asked),
		"on_fault", s.Pacing.OnFault.String(), "contained", strconv.Itoa(s.Stats.Contained), "step_cost",
		number(s.Stats.StepCost.Seconds()),
		"entities", strconv.Itoa(len(s.Model.Entities)), "bodies", strconv.Itoa(s.Stats.Bodies), "contacts",
		strconv.Itoa(s.Stats.Contacts),
		"waiting", waiting(s), "missed_commands", strconv.FormatUint(s.Stats.Missed, 10))
	return d
}

func faultStatus(who, entity string, f *sim.Fault) diagnosticmsgs.DiagnosticStatus {
	return diagnosticmsgs.DiagnosticStatus{
		Level: diagnosticmsgs.DiagnosticStatusError, Name: who + ": entity " + entity, HardwareID: entity,
		Message: "contained: " + f.Cause + "; " + f.Touched(),
		Values: values("link", f.Link, "cause", f.Cause, "step", strconv.FormatUint(f.Step, 10), "time",
			number(f.Time.Seconds()),
			"speed", number(f.Speed), "touched", f.Touched()),
	}
}

// values are keys and values in turn.
func values(words ...string) (all []diagnosticmsgs.KeyValue) {
	for i := 0; i+1 < len(words); i += 2 {
		all = append(all, diagnosticmsgs.KeyValue{Key: words[i], Value: words[i+1]})
	}
	return all
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
