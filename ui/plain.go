package ui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/escape"
)

// plain is the console as lines: for screen readers, braille displays, pipes
// and terminals that can do nothing else. What changes is printed as a line;
// a line that is typed is an action of the same table, a dialog's answer, or
// one of the words of plainwords.go.
type plain struct {
	m    *Model
	out  *bufio.Writer
	msgs chan tea.Msg
	last announced
	page *canvas.CellBuffer // what is read out is drawn here
}

// The size of what is read out, and how often is looked for something new.
const (
	plainWidth  = 100
	plainHeight = 40
	plainLook   = 100 * time.Millisecond
)

// runPlain is Run for Config.Plain.
func runPlain(ctx context.Context, c Config) (err error) {
	var in io.Reader = os.Stdin
	if c.Input != nil {
		in = c.Input
	}
	c.Theme, c.Symbols = "mono", "ascii"
	m, err := New(c)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m.ctx = ctx
	if m.feed.sub = m.cfg.Backend.Subscribe(sim.Latest(plainLook)); m.feed.sub != nil {
		defer func() { m.feed.sub.Close() }() // that of the world which is shown then
		m.feed.sub.WantSensors(false)
	}
	m.window.resize(plainWidth, plainHeight)
	defer func() {
		if m.crash != nil {
			err = m.crash
		}
	}()
	defer m.caught(nil)
	p := &plain{m: m, out: bufio.NewWriter(escape.NewWriter(c.output())), msgs: make(chan tea.Msg, 16),
		page: canvas.NewCellBuffer(plainWidth, plainHeight)}
	err = p.run(ctx, p.listen(ctx, in))
	return errors.Join(err, m.drive.park())
}

// listen reads lines until the input ends. A reader cannot be called back: it
// is left alone at the end, with the line that it may wait for.
func (p *plain) listen(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(in)
		for s.Scan() {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// run prints what changes until the operator leaves, ctx is done or the
// engine ends.
func (p *plain) run(ctx context.Context, lines <-chan string) error {
	p.greet()
	look := time.NewTicker(plainLook)
	defer look.Stop()
	for {
		if err := p.tell(); err != nil {
			return fmt.Errorf("console: %w", err)
		}
		var cmd tea.Cmd
		select {
		case <-ctx.Done():
			return nil
		case line, more := <-lines:
			if !more {
				return nil
			}
			cmd = p.execute(line)
		case msg := <-p.msgs:
			switch msg := msg.(type) {
			case tea.QuitMsg:
				return nil
			case tea.BatchMsg:
				for _, one := range msg {
					p.start(ctx, one)
				}
			default:
				cmd = p.m.take(msg)
			}
		case <-look.C:
			p.m.view.look()
			if p.m.cfg.Backend.Snapshot().State == sim.Quitting && !p.m.cfg.Capabilities.Reconnects {
				p.say("the simulator has quit")
				return p.out.Flush()
			}
			cmd = tea.Batch(p.m.drive.steer(), p.m.measureModel())
		}
		p.start(ctx, cmd)
	}
}

// start does a command beside the loop; its answer comes back as a message.
func (p *plain) start(ctx context.Context, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		select {
		case p.msgs <- msg:
		case <-ctx.Done():
		}
	}()
}

// say prints a line; what a terminal would take as a command is escaped.
func (p *plain) say(format string, args ...any) {
	_, _ = escape.Fprintf(p.out, format+"\n", args...) // the writer keeps its error for Flush
}
