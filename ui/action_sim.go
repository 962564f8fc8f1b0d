package ui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
	"simdeck/ui/pane"
)

// simActions run, pause and step the simulation.
func simActions() []action {
	return []action{
		{id: "sim.toggle", title: "play/pause", tip: "play or pause the simulation", write: true,
			asks: sim.SetState{}, disabled: needsWorld, run: func(m *Model) tea.Cmd {
				if m.now().State == sim.Playing {
					return m.requests.send(sim.SetState{State: sim.Paused}, "")
				}
				return m.requests.send(sim.SetState{State: sim.Playing}, "")
			}},
		{id: "sim.step", title: "step", tip: "step the paused simulation once", write: true, asks: sim.StepWorld{},
			disabled: needsPause, run: func(m *Model) tea.Cmd {
				return m.requests.send(sim.StepWorld{N: 1}, "")
			}},
		{id: "sim.steps", title: "steps", tip: "step the paused simulation several times", write: true,
			asks: sim.StepWorld{}, disabled: needsPause, run: func(m *Model) tea.Cmd {
				return m.dialogs.push(dialog.NewSteps(100, pane.Spell(m.view.snap.StepSize)))
			}},
		{id: "sim.rewind", title: "rewind", tip: "rewind the simulation by 1 s and pause it",
			write: true, asks: sim.Rewind{}, disabled: needsPast, run: func(m *Model) tea.Cmd {
				return m.timeline.step(max(time.Second, m.now().StepSize))
			}},
		{id: "sim.forward", title: "forward", tip: "go forward again by 1 s where a rewind came from", write: true,
			asks: sim.Rewind{}, disabled: needsWayForward, run: func(m *Model) tea.Cmd {
				return m.timeline.step(-max(time.Second, m.now().StepSize))
			}},
		{id: "sim.mark_prev", title: "previous mark", tip: "rewind to the previous mark of the time strip",
			write: true, asks: sim.Rewind{}, disabled: needsPast, run: func(m *Model) tea.Cmd {
				return m.timeline.toMark(false)
			}},
		{id: "sim.mark_next", title: "next mark", tip: "go forward again to the next mark of the time strip",
			write: true, asks: sim.Rewind{}, disabled: needsWayForward, run: func(m *Model) tea.Cmd {
				return m.timeline.toMark(true)
			}},
		{id: "sim.oldest", title: "oldest", tip: "rewind to the oldest moment that is kept", write: true,
			asks: sim.Rewind{}, disabled: needsPast, run: func(m *Model) tea.Cmd {
				return m.timeline.seek(m.now().Past.Oldest)
			}},
		{id: "sim.newest", title: "newest", tip: "go forward again to the newest moment", write: true,
			asks: sim.Rewind{}, disabled: needsWayForward, run: func(m *Model) tea.Cmd {
				return m.timeline.seek(m.now().Past.Newest)
			}},
		{id: "sim.stop", title: "stop", tip: "stop the simulation", write: true, asks: sim.SetState{},
			disabled: func(m *Model) string {
				if m.now().State == sim.Stopped {
					return "the simulation is already stopped"
				}
				return needsWorld(m)
			}, run: func(m *Model) tea.Cmd {
				return m.requests.send(sim.SetState{State: sim.Stopped}, "stopped")
			}},
		{id: "sim.reset", title: "reset", tip: "reset time, states or spawned entities", write: true,
			asks: sim.Reset{}, disabled: needsWorld, run: func(m *Model) tea.Cmd {
				return m.dialogs.push(dialog.NewReset())
			}},
		{id: "sim.keyframe", title: "keyframe", tip: "load the world anew from one of its keyframes",
			write: true, asks: sim.LoadWorld{}, disabled: needsKeyframes, run: func(m *Model) tea.Cmd {
				return m.dialogs.push(dialog.NewKeyframes(m.view.snap.Model.World.URI, m.keyframes()))
			}},
		{id: "sim.record", title: "record", tip: "start or stop a recording of the simulation", write: true,
			disabled: needsRecorder, run: func(m *Model) tea.Cmd { return m.around.record() }},
		{id: "sim.load", title: "load", tip: "load another world", write: true, asks: sim.LoadWorld{},
			disabled: func(m *Model) string {
				if m.now().State == sim.LoadingWorld {
					return "a world is being loaded"
				}
				return ""
			}, run: (*Model).openWorlds},
		{id: "sim.world", title: "next world", tip: "show the next of several worlds", disabled: needsWorlds,
			run: func(m *Model) tea.Cmd { return m.worlds.goNext() }},
		{id: "sim.faster", title: "faster", tip: "raise the target speed (real-time factor)", write: true,
			asks: sim.SetPacing{}, disabled: func(m *Model) string {
				if m.now().Pacing.Asked <= 0 {
					return "the simulation already runs as fast as possible"
				}
				return ""
			}, run: func(m *Model) tea.Cmd { return m.pace(1) }},
		{id: "sim.slower", title: "slower", tip: "lower the target speed (real-time factor)", write: true,
			asks: sim.SetPacing{}, disabled: func(m *Model) string {
				if f := m.now().Pacing.Asked; f > 0 && f <= speeds()[0] {
					return speedName(speeds()[0]) + " is the lowest target speed"
				}
				return ""
			}, run: func(m *Model) tea.Cmd { return m.pace(-1) }},
	}
}

// now is the newest snapshot, also while the view is frozen. Actions must not depend on a frozen view.
func (m *Model) now() *sim.Snapshot { return m.cfg.Backend.Snapshot() }

func needsWorld(m *Model) string {
	switch m.now().State {
	case sim.NoWorld:
		return "no world is loaded"
	case sim.LoadingWorld:
		return "a world is being loaded"
	case sim.Quitting:
		return "the simulator is quitting"
	}
	return ""
}

func needsPause(m *Model) string {
	switch m.now().State {
	case sim.Paused:
		return ""
	case sim.Playing:
		return "the simulation is playing; pause it first"
	case sim.Stopped:
		return "the simulation is stopped; pause it first"
	}
	return needsWorld(m)
}

func needsPast(m *Model) string {
	if m.now().State == sim.Stopped {
		return "the simulation is stopped; play it before rewinding"
	}
	if why := needsWorld(m); why != "" {
		return why
	}
	if m.now().Past.Reach == 0 {
		return "no past is kept (--rewind 0)"
	}
	return ""
}

// needsWayForward is the reason why the world cannot go forward again; empty: it can.
func needsWayForward(m *Model) string {
	if why := needsPast(m); why != "" {
		return why
	}
	if p := m.now().Past; p.Now >= p.Newest && !m.timeline.busy {
		return "this is the newest moment"
	}
	return ""
}

// speeds are the real-time factors that keys choose from; beyond the last is
// as fast as possible.
func speeds() []float64 { return []float64{1. / 8, 1. / 4, 1. / 2, 1, 2, 4} }

// speedName is how messages call one of them.
func speedName(f float64) string {
	switch {
	case f <= 0:
		return "as fast as possible"
	case f < 1:
		return fmt.Sprintf("1/%v×", 1/f)
	}
	return fmt.Sprintf("%v×", f)
}

func (m *Model) pace(by int) tea.Cmd {
	list, asked := speeds(), m.now().Pacing.Asked
	next := 0.0
	switch {
	case asked <= 0:
		next = list[len(list)-1]
	case by > 0:
		for _, s := range list {
			if s > asked+1e-9 {
				next = s
				break
			}
		}
	default:
		next = list[0]
		for _, s := range list {
			if s < asked-1e-9 {
				next = s
			}
		}
	}
	return m.requests.send(sim.SetPacing{RealTime: next}, "Target speed: "+speedName(next))
}

// keyframes are the keyframes that the file of the world offers, in its order.
func (m *Model) keyframes() (names []string) {
	for i := range m.view.snap.Model.Entities {
		spec := m.view.snap.Model.Entities[i].Spec
		if spec == nil || m.view.snap.Model.Entities[i].Spawned {
			continue
		}
		for _, n := range spec.Keyframes {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// needsKeyframes is the reason why the world cannot begin at a keyframe; empty: it can.
func needsKeyframes(m *Model) string {
	if why := needsWorld(m); why != "" {
		return why
	}
	if len(m.keyframes()) == 0 || m.view.snap.Model.World.URI == "" {
		return "the world's file has no keyframes"
	}
	return ""
}
