package batch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"simdeck/sim/scene"
	"simdeck/sim/sweep"
)

// Bytes kept of stderr, and period of the progress lines.
const (
	keptWords = 16 << 10
	tellEvery = 200 * time.Millisecond
)

// word is a line that the process of a run writes to its stdout.
type word struct {
	At     float64       `json:"at,omitempty"` // s, simulated so far
	Result *sweep.Result `json:"result,omitempty"`
}

// Open gives the library of a world that a user names, and how it is asked for.
type Open func(world string) (scene.Library, scene.Resource, error)

// RunChild is the process of one run. It reads an Order, does its run and writes its progress and result,
// a line of JSON each. It ends when its input does: nobody waits for it any more then.
func RunChild(ctx context.Context, open Open, in io.Reader, out io.Writer) error {
	expendable()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	from := json.NewDecoder(in)
	var o Order
	if err := from.Decode(&o); err != nil {
		return fmt.Errorf("no order: %w", err)
	}
	go func() { _, _ = io.Copy(io.Discard, in); stop() }()
	result, err := o.do(ctx, open, tell(out))
	if err != nil {
		result = sweep.Result{Index: o.Index, Outcome: sweep.Invalid, Reason: err.Error()}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return json.NewEncoder(out).Encode(word{Result: &result})
}

// do does the run that is meant.
func (o *Order) do(ctx context.Context, open Open, told func(time.Duration)) (sweep.Result, error) {
	if err := o.parse(o.File); err != nil {
		return sweep.Result{}, err
	}
	if o.Index < 0 || o.Index >= len(o.sweep.Runs) {
		return sweep.Result{}, fmt.Errorf("there is no run %d of %d", o.Index, len(o.sweep.Runs))
	}
	run := &o.sweep.Runs[o.Index]
	play, err := o.scenario(run)
	if err != nil {
		return sweep.Result{}, err
	}
	world, err := o.world(run)
	if err != nil {
		return sweep.Result{}, err
	}
	lib, resource, err := open(world)
	if err != nil {
		return sweep.Result{}, err
	}
	return sweep.RunContext{Sweep: o.sweep, Run: run, Scenario: play, Library: lib, World: resource,
		OnProgress: told}.Execute(ctx), nil
}

// tell says how far a run is, now and then.
func tell(out io.Writer) func(time.Duration) {
	lines, last := json.NewEncoder(out), time.Now()
	return func(at time.Duration) {
		if now := time.Now(); now.Sub(last) >= tellEvery {
			last = now
			_ = lines.Encode(word{At: at.Seconds()})
		}
	}
}

// child is a process that does one run.
type child struct {
	command *exec.Cmd
	order   []byte
	told    func(at float64)
}

// run waits for the process and says what became of its run. It is killed when ctx ends, or after timeout.
func (c *child) run(ctx context.Context, index int, timeout time.Duration) sweep.Result {
	lost := sweep.Result{Index: index, Outcome: sweep.Crashed}
	words := &beginning{}
	c.command.Stderr = words
	in, err := c.command.StdinPipe()
	if err != nil {
		lost.Reason = err.Error()
		return lost
	}
	out, err := c.command.StdoutPipe()
	if err == nil {
		err = c.command.Start()
	}
	if err != nil {
		lost.Reason = err.Error()
		return lost
	}
	late := time.AfterFunc(timeout, func() { _ = c.command.Process.Kill() })
	gone := context.AfterFunc(ctx, func() { _ = c.command.Process.Kill() })
	defer gone()
	_, _ = in.Write(c.order) // one that does not read it has ended, which Wait says
	result := c.listen(out)
	_ = in.Close()
	err = c.command.Wait()
	if !late.Stop() && result == nil {
		lost.Outcome, lost.Reason = sweep.Late, fmt.Sprintf("killed after %v", timeout)
		return lost
	}
	if result == nil || result.Index != index {
		lost.Reason = died(err, words.String())
		return lost
	}
	return *result
}

// listen reads what the process says, to the end.
func (c *child) listen(out io.Reader) (result *sweep.Result) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var w word
		if json.Unmarshal(lines.Bytes(), &w) != nil {
			continue
		}
		if w.Result != nil {
			result = w.Result
		} else {
			c.told(w.At)
		}
	}
	_, _ = io.Copy(io.Discard, out)
	return result
}

// died says how a process ended, with what it said last: of a panic the line that names it.
func died(err error, said string) string {
	how := "ended without a result"
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		how = exit.Error()
		if how == "signal: killed" {
			how += ", by a user or for lack of memory"
		}
	} else if err != nil {
		how = err.Error()
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	last := lines[len(lines)-1]
	for _, l := range lines {
		if strings.HasPrefix(l, "panic: ") || strings.HasPrefix(l, "fatal error: ") {
			last = l
			break
		}
	}
	if last = strings.TrimSpace(last); last != "" {
		how += ": " + last
	}
	return how
}

// beginning keeps the beginning of what is written: a panic names itself there, and stacks come after.
type beginning struct{ bytes.Buffer }

// Write takes what fits and lets the rest go.
func (t *beginning) Write(p []byte) (int, error) {
	if room := keptWords - t.Len(); room > 0 {
		t.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

// expendable has the kernel end this process rather than the one that waits for it, where memory runs out.
// Where there is no such file there is no such choice.
func expendable() { _ = os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0) }
