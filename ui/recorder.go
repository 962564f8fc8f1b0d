package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/dialog"
	"simdeck/ui/pane"
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

// ends tells of what ends with the simulator beside its world: a recording, and what others do with it.
func (ar *surroundings) ends() (all []string) {
	if ar.recording.Folder != "" && ar.recording.Fault == "" {
		all = append(all, "the recording to "+canvas.Clean(ar.recording.Folder)+" ends")
	}
	if n := ar.link.Peers; ar.link.On && n > 0 {
		all = append(all, "connected over ROS: "+pane.PeerCount(ar.link))
	}
	return all
}

// record asks what a recording is to hold, or ends the one that is made.
func (ar *surroundings) record() tea.Cmd {
	if ar.recording.Folder != "" {
		return ar.change(func(ctx context.Context, r sim.RecordingControl) recordedMsg {
			folder, err := r.Stop(ctx)
			return recordedMsg{folder, true, err}
		})
	}
	patterns, reason := ar.m.cfg.Capabilities.Recorder.Topics()
	return ar.m.dialogs.push(dialog.NewRecord(ar.m.view.snap, patterns, reason))
}

// begin begins a recording.
func (ar *surroundings) begin(scope sim.RecordingScope) tea.Cmd {
	return ar.change(func(ctx context.Context, r sim.RecordingControl) recordedMsg {
		folder, err := r.Start(ctx, scope)
		return recordedMsg{folder, false, err}
	})
}

// change begins or ends a recording.
func (ar *surroundings) change(do func(context.Context, sim.RecordingControl) recordedMsg) tea.Cmd {
	ctx, r := sim.WithSender(ar.m.ctx, ar.m.cfg.User), ar.m.cfg.Capabilities.Recorder
	ar.m.requests.pending++
	return guarded(func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		return do(ctx, r)
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
		if place := ar.m.place(msg.folder); place != msg.folder {
			return ar.m.say(theme.Good, "Recording saved: %s", place)
		}
		return ar.m.say(theme.Good, "Recording saved. Replay: simdeck replay %s", msg.folder)
	}
	return ar.m.say(theme.Good, "Recording to %s", ar.m.place(msg.folder))
}
