package ui

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"simdeck/sim"
	"simdeck/ui/escape"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// RunFleet shows the table of a fleet until the operator leaves or ctx is done.
// open shows one of its simulators in a console; when it returns, the table is
// there again. Of Config it wants no Backend.
func RunFleet(ctx context.Context, c Config, f sim.Fleet,
	open func(ctx context.Context, id string) error) error {
	if c.Environ == nil {
		c.Environ = os.Environ()
	}
	if c.Plain {
		return tellFleet(ctx, c, f)
	}
	if err := needsTerminal(c, os.Stdin, os.Stdout); err != nil {
		return err
	}
	profile, chosen, err := colours(c)
	if err != nil {
		return err
	}
	c.Theme = chosen
	m, err := NewFleet(c, f)
	if err != nil {
		return err
	}
	m.ctx = ctx
	for {
		rests, err := operate(ctx, m, c, profile, m.keys)
		if err != nil || !rests || m.opened == "" || ctx.Err() != nil {
			return err
		}
		if err := open(ctx, m.opened); err != nil && ctx.Err() == nil {
			m.say(theme.Bad, "%s", err)
		}
		m.opened = ""
		m.look()
	}
}

// tellFleet writes a line for every simulator that comes, goes or changes its
// state or world, until ctx is done.
func tellFleet(ctx context.Context, c Config, f sim.Fleet) error {
	out := c.output()
	told := map[string]string{}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		for _, m := range f.Members() {
			line := fleetLine(&m)
			if told[m.ID] == line {
				continue
			}
			told[m.ID] = line
			if _, err := io.WriteString(out, line+"\n"); err != nil {
				return fmt.Errorf("console: %w", err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func fleetLine(m *sim.Member) string {
	_, word, _ := pane.Condition(m)
	line := fmt.Sprintf("%s on %s: %s", m.Name, m.Host, word)
	if m.World != "" && !m.Lost {
		line += " in " + m.World
	}
	if m.Entities >= 0 && !m.Lost {
		line += fmt.Sprintf(", %d entities", m.Entities)
	}
	if m.Fault != "" && !m.Lost {
		line += " (" + m.Fault + ")"
	}
	return escape.Line(line)
}
