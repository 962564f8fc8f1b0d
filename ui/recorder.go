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
	case m.link.Far != "":
		return "a simulator elsewhere is recorded where it runs"
	case m.cfg.Capabilities.Recorder == nil:
		return "nothing can be recorded here"
	}
	return ""
}

// record begins a recording, or ends the one that is made.
func (m *Model) record() tea.Cmd {
	ctx, r, ends := sim.WithSender(m.ctx, m.cfg.User), m.cfg.Capabilities.Recorder, m.recording.Folder != ""
	m.pending++
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

// onRecorded says where a recording is.
func (m *Model) onRecorded(msg recordedMsg) tea.Cmd {
	m.pending--
	m.dirty = true
	m.lookAround()
	switch {
	case msg.err != nil:
		return m.say(theme.Bad, "%s", msg.err)
	case msg.ends:
		return m.say(theme.Good, "recorded; simdeck replay %s does it again", msg.folder)
	}
	return m.say(theme.Good, "recording into %s", msg.folder)
}
