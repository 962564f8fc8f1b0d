package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/theme"
)

// recordedMsg is the answer to beginning or ending a recording.
type recordedMsg struct {
	folder string
	ends   bool
	err    error
}

func needsRecorder(m *Model) string {
	switch {
	case m.around.link.Far != "":
		return "only possible on the simulator's own machine"
	case m.cfg.Capabilities.Recorder == nil:
		return "this console has no recorder"
	}
	return ""
}

// record begins a recording, or ends the one that is made.
func (ar *surroundings) record() tea.Cmd {
	ctx, r, ends := sim.WithSender(ar.m.ctx, ar.m.cfg.User), ar.m.cfg.Capabilities.Recorder,
		ar.recording.Folder != ""
	ar.m.requests.pending++
	return guarded(func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		msg := recordedMsg{ends: ends}
		if ends {
			msg.folder, msg.err = r.Stop(ctx)
		} else {
			msg.folder, msg.err = r.Start(ctx)
		}
		return msg
	})
}

// onRecorded shows the folder of a recording.
func (ar *surroundings) onRecorded(msg recordedMsg) tea.Cmd {
	ar.m.requests.pending--
	ar.m.screen.dirty = true
	ar.look()
	switch {
	case msg.err != nil:
		return ar.m.say(theme.Bad, "%s", msg.err)
	case msg.ends:
		return ar.m.say(theme.Good, "Recording saved. Replay: simdeck replay %s", msg.folder)
	}
	return ar.m.say(theme.Good, "Recording to %s", msg.folder)
}
