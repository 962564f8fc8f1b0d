package ui

import (
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
)

// Crash is the error of Run when the console itself broke. Its text is one
// line; Stack is for a report.
type Crash struct {
	Value any
	Stack []byte
}

// Error is the line.
func (c *Crash) Error() string { return fmt.Sprintf("the console crashed: %v", c.Value) }

// Report is the text for a report of it.
func (c *Crash) Report() string { return string(c.Stack) }

// Crash is the reason for which the console broke; nil while it has not.
func (m *Model) Crash() *Crash { return m.crash }

// caught turns a panic into the console's end: the terminal is given back as
// on any other way out, and nothing is printed over it. It is deferred.
func (m *Model) caught(cmd *tea.Cmd) {
	if v := recover(); v != nil {
		m.crash = &Crash{Value: v, Stack: debug.Stack()}
		if cmd != nil {
			*cmd = tea.Quit
		}
	}
}

// crashMsg is a panic in a command, which runs beside the model.
type crashMsg struct{ crash *Crash }

// guarded makes a command's panic a message.
func guarded(cmd tea.Cmd) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				msg = crashMsg{&Crash{Value: v, Stack: debug.Stack()}}
			}
		}()
		return cmd()
	}
}
