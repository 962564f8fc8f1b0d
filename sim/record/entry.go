package record

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"simdeck/sim"
)

// Entry is a line of a recording: a command, the hashes of steps, a step that failed, or the state of the
// world.
type Entry struct {
	At      uint64        // steps that the engine had done
	Time    time.Duration // simulated
	Sender  string
	Command sim.Command  // nil: no command, or one that was refused and ended nothing
	Name    string       // of the command; empty: none
	Refused string       // why it was refused; empty: it took effect
	Halted  bool         // the step after At failed and paused the world
	Hash    uint64       // of the world after the command or the halt
	Blind   bool         // it was before the recording began, and Hash is not known
	State   *sim.Restore // all of the world after the steps; nothing was done
	Hashes  []uint32     // the low halves after the steps At+1, At+2, …
}

// line is an Entry as it is written.
type line struct {
	At      uint64          `json:"at"`
	Time    time.Duration   `json:"time_ns,omitempty"`
	By      string          `json:"by,omitempty"`
	Do      string          `json:"do,omitempty"`
	With    json.RawMessage `json:"with,omitempty"`
	Refused string          `json:"refused,omitempty"`
	Halted  bool            `json:"halted,omitempty"`
	Hash    string          `json:"hash,omitempty"`
	Steps   string          `json:"steps,omitempty"`
}

// commands are the types of commands in recordings, by name.
func commands() map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for _, c := range []sim.Command{
		sim.SetState{}, sim.StepWorld{}, sim.CancelSteps{}, sim.Rewind{}, sim.Reset{}, sim.Spawn{},
		sim.SpawnBatch{}, sim.Delete{},
		sim.SetEntityState{}, sim.MoveEntities{}, sim.SetEntityInfo{}, sim.SetEntityInfos{},
		sim.DriveEntity{}, sim.DriveCar{}, sim.SetJoint{}, sim.SetJoints{}, sim.FollowTrajectory{},
		sim.EndTrajectory{}, sim.SetActor{}, sim.SetSignal{}, sim.SetLamps{}, sim.SetPacing{},
		sim.Attach{}, sim.Detach{}, sim.SetJointPositions{},
		sim.SetBattery{},
		sim.SetFaultPolicy{},
		sim.BeginLoad{}, sim.LoadWorld{},
		sim.Restore{},
		sim.UnloadWorld{},
	} {
		all[nameOf(c)] = reflect.TypeOf(c)
	}
	return all
}

// nameOf is the name of a command in recordings. It is that of the type, but for one that has been renamed
// since.
func nameOf(c sim.Command) string {
	if _, ok := c.(sim.Restore); ok {
		return "Resume"
	}
	return reflect.TypeOf(c).Name()
}

// AppendCommand appends the line of a command, or of a step that failed.
func AppendCommand(b []byte, e *sim.LogEntry) ([]byte, error) {
	return appendEntry(b, e, fmt.Sprintf("%016x", e.Hash))
}

// AppendBefore is AppendCommand of what was before the recording began, of which no hash is known.
func AppendBefore(b []byte, e *sim.LogEntry) ([]byte, error) { return appendEntry(b, e, "") }

func appendEntry(b []byte, e *sim.LogEntry, hash string) ([]byte, error) {
	if e.Command == nil {
		return appendLine(b, &line{At: e.Step, Halted: true, Hash: hash})
	}
	l := line{At: e.Step, Time: e.Time, By: e.Sender, Do: nameOf(e.Command), Hash: hash}
	if e.Err != nil {
		l.Refused = e.Err.Error()
	}
	if leavesNoWorld(e.Command) || e.Err == nil {
		with, err := json.Marshal(e.Command)
		if err != nil {
			return b, fmt.Errorf("recording %s: %w", l.Do, err)
		}
		l.With = with
	}
	return appendLine(b, &l)
}

// leavesNoWorld tells whether a command leaves no world when it is refused.
func leavesNoWorld(c sim.Command) bool {
	switch c.(type) {
	case sim.LoadWorld, sim.Restore:
		return true
	}
	return false
}

// AppendSteps appends the line of the steps that followed the first at of them.
func AppendSteps(b []byte, at uint64, hashes []uint32) []byte {
	raw := make([]byte, 0, 4*len(hashes))
	for _, h := range hashes {
		raw = binary.LittleEndian.AppendUint32(raw, h)
	}
	// numbers and text can always be written
	b, _ = appendLine(b, &line{At: at, Steps: base64.RawStdEncoding.EncodeToString(raw)})
	return b
}

func appendLine(b []byte, l *line) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return b, err
	}
	return append(append(b, text...), '\n'), nil
}

// ParseEntry reads a line; an ErrFormat says what is wrong with it.
func ParseEntry(text []byte) (Entry, error) {
	if isState(text) {
		return parseState(text)
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return Entry{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	e := Entry{At: l.At, Time: l.Time, Sender: l.By, Name: l.Do, Refused: l.Refused, Blind: l.Hash == "" &&
		l.Steps == ""}
	if l.Do == "" && !l.Halted {
		err := e.parseSteps(l.Steps)
		return e, err
	}
	e.Halted = l.Halted && l.Do == ""
	var err error
	if e.Hash, err = strconv.ParseUint(l.Hash, 16, 64); err != nil && !e.Blind {
		return Entry{}, fmt.Errorf("%w: hash %q of %s: want 16 hexadecimal digits", ErrFormat, l.Hash,
			l.Do)
	}
	if e.Halted || l.Refused != "" && l.With == nil {
		return e, nil
	}
	t, known := commands()[l.Do]
	if !known {
		return Entry{}, fmt.Errorf("%w: %q is no command that this version knows", ErrFormat, l.Do)
	}
	v := reflect.New(t)
	if err := json.Unmarshal(l.With, v.Interface()); err != nil {
		return Entry{}, fmt.Errorf("%w: %s: %w", ErrFormat, l.Do, err)
	}
	e.Command, _ = v.Elem().Interface().(sim.Command)
	return e, nil
}

func (e *Entry) parseSteps(text string) error {
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(raw) == 0 || len(raw)%4 != 0 {
		return fmt.Errorf("%w: neither a command nor the hashes of steps", ErrFormat)
	}
	e.Hashes = make([]uint32, len(raw)/4)
	for i := range e.Hashes {
		e.Hashes[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	return nil
}
