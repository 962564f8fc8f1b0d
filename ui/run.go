package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"simdeck/ui/keymap"
)

// Run shows the console on a terminal until the operator leaves, ctx ends or the engine ends. It then
// restores the terminal and returns nil. Errors: there is no terminal, or the console itself broke.
func Run(ctx context.Context, c Config) (err error) {
	if c.Environ == nil {
		c.Environ = os.Environ()
	}
	if c.Plain || lookup(c.Environ, "TERM") == "dumb" { // which cannot move its cursor
		_, err := despite(ctx, settleMayTake+parting, func() error { return runPlain(ctx, c) })
		return err
	}
	if err := needsTerminal(c, os.Stdin, os.Stdout); err != nil {
		return err
	}
	profile, theme, err := colours(c)
	if err != nil {
		return err
	}
	c.Theme = theme
	m, err := New(c)
	if err != nil {
		return err
	}
	if c.Back != "" && c.Back != "auto" && c.Back != "dark" && c.Back != "light" {
		return fmt.Errorf("ui: background %q is not known; there are auto, dark, light", c.Back)
	}
	if m.pics, err = parsePictures(c, profile); err != nil {
		return err
	}
	m.pics.m = m
	switch profile {
	case colorprofile.ANSI256:
		m.screen.cells.FixedColours()
	case colorprofile.ANSI:
		m.screen.cells.SixteenColours()
	}
	m.ctx, m.line.asks, m.line.far = ctx, true, lookup(c.Environ, "SSH_TTY") != "" && c.FlowControl == nil
	m.feed.subscribe()
	defer m.typed.leave()
	defer m.feed.unsubscribe()
	rests, err := operate(ctx, m, c, profile, m.keys)
	if !rests {
		return err
	}
	if m.pics.shown {
		err = errors.Join(err, forgetPicture(c))
	}
	if m.crash != nil {
		err = m.crash
	}
	return errors.Join(err, m.drive.park())
}

// operate runs a model on a terminal until it quits, ctx ends or the terminal vanishes, and restores the
// terminal. rests reports that the model may be touched again: a model that hangs is abandoned.
func operate(ctx context.Context, m tea.Model, c Config, profile colorprofile.Profile,
	keys *keymap.Map) (rests bool, err error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	w, err := watch(ctx, m, func(k tea.KeyPressMsg) bool { return k.String() == keys.Key("app.quit") })
	if err != nil {
		return true, err
	}
	restore := remember(c)
	program := tea.NewProgram(w, onTerminal(c, profile, end)...)
	defer endWith(ctx, program)()
	defer dumpWith(program, restore)()
	ended, err := despite(ctx, parting+settleMayTake, func() error {
		_, err := program.Run()
		return err
	})
	if !ended { // it waits for a terminal that takes nothing more, and touches the model no more
		restore()
		w.abandon(0)
		return false, nil
	}
	rests, crash := w.leave()
	if crash != nil {
		return rests, crash
	}
	if cause := context.Cause(ctx); errors.Is(cause, errFlood) {
		return rests, cause
	}
	return rests, broken(ctx, err)
}

// despite does something, and waits for no more than a while for its end when ctx has ended.
func despite(ctx context.Context, d time.Duration, f func() error) (ended bool, err error) {
	end, over := make(chan error, 1), make(chan struct{})
	go func() { end <- f() }()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(d, func() { close(over) }) })
	defer stop()
	select {
	case err = <-end:
		return true, err
	case <-over:
		return false, nil
	}
}

// remember gives the function that gives a terminal of this process the modes back which it has now.
func remember(c Config) func() {
	in, ok := c.Input.(*os.File)
	if c.Input == nil {
		in, ok = os.Stdin, true
	}
	if !ok {
		return func() {}
	}
	modes, err := term.GetState(in.Fd())
	return func() {
		if err == nil {
			_ = term.Restore(in.Fd(), modes) // a terminal that has vanished has none
		}
	}
}

// broken is the error with which a program failed; nil when its context ended it.
func broken(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) &&
		!errors.Is(err, tea.ErrProgramPanic) {
		return nil
	}
	return fmt.Errorf("console: %w", err)
}

// onTerminal is the options of a program on a terminal; end is called when the terminal vanishes.
func onTerminal(c Config, profile colorprofile.Profile, end context.CancelCauseFunc) []tea.ProgramOption {
	typed, in := &typed{end: end}, c.Input
	if in == nil {
		in = os.Stdin
	}
	options := []tea.ProgramOption{
		tea.WithoutSignalHandler(), tea.WithFPS(60), tea.WithInput(typed.from(in)),
		tea.WithFilter(typed.filter),
		tea.WithColorProfile(profile), tea.WithEnvironment(quiet(c.Environ)),
	}
	if c.Output != nil {
		options = append(options, tea.WithOutput(c.Output))
	}
	return options
}

// parting is the time in which a console restores the terminal after its context has ended. A terminal that
// takes no output delays it for so long.
const parting = 2 * time.Second

// endWith ends a program with its context, at first as the quit key does and then by force. A killed program
// closes its input while that may still be read. forget detaches the context.
func endWith(ctx context.Context, program *tea.Program) (forget func()) {
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		kill := time.AfterFunc(parting, program.Kill)
		program.Quit()
		<-ended
		kill.Stop()
	})
	return func() {
		stop()
		close(ended)
	}
}

// dumpWith gives the terminal back before SIGQUIT ends the process. The runtime then prints all goroutines
// in lines that begin at the left, on a screen that stays. forget leaves the signal as it was.
func dumpWith(program *tea.Program, restore func()) (forget func()) {
	quit, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(quit, syscall.SIGQUIT)
	go func() {
		select {
		case <-ended:
			return
		case <-quit:
		}
		released := make(chan struct{})
		go func() {
			_ = program.ReleaseTerminal() // a terminal that has vanished has none
			close(released)
		}()
		select {
		case <-released:
		case <-time.After(parting): // the drawing goroutine hangs
		}
		restore()
		signal.Reset(syscall.SIGQUIT)
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			_ = p.Signal(syscall.SIGQUIT) // where there is none, none came
		}
	}()
	return func() {
		signal.Stop(quit)
		close(ended)
	}
}

// needsTerminal refuses to draw into a file or a pipe.
func needsTerminal(c Config, in, out *os.File) error {
	for _, f := range []struct {
		file *os.File
		used bool
	}{{in, c.Input == nil}, {out, c.Output == nil}} {
		if f.used && !term.IsTerminal(f.file.Fd()) {
			return fmt.Errorf("the console needs a terminal, and %s is not one; use simdeck run without a console",
				f.file.Name())
		}
	}
	return nil
}

// quiet is the environment as Bubble Tea gets it: that of an SSH session,
// where it asks the terminal nothing before the first frame. On a silent or
// slow line answers come late or never. Model.ask asks afterwards.
func quiet(environ []string) []string { return append(slices.Clone(environ), "SSH_TTY=quiet") }

// askTerminal asks the terminal, once a frame was shown, for the modes that make
// frames appear at once and widths agree, and for its background.
func (l *line) askTerminal() tea.Cmd {
	if l.frames++; l.frames != 2 || !l.asks {
		return nil
	}
	return l.ask(ansi.RequestModeSynchronizedOutput+ansi.RequestModeUnicodeCore+ansi.RequestBackgroundColor,
		l.m.cfg.Now())
}

// output is the writer of frames.
func (c *Config) output() io.Writer {
	if c.Output != nil {
		return c.Output
	}
	return os.Stdout
}

// colours is the colour profile and the theme. NO_COLOR counts
// whatever its value, as no-color.org has it; a flag overrides it.
func colours(c Config) (colorprofile.Profile, string, error) {
	switch c.Color {
	case "", "auto":
		if lookup(c.Environ, "NO_COLOR") != "" {
			return colorprofile.ASCII, "mono", nil
		}
		p := colorprofile.Detect(c.output(), c.Environ)
		if c.Sizes != nil { // it is a terminal, though not one of this process
			p = colorprofile.Env(c.Environ)
		}
		if p <= colorprofile.ASCII {
			return colorprofile.ASCII, "mono", nil
		}
		return p, c.Theme, nil
	case "never":
		return colorprofile.ASCII, "mono", nil
	case "16":
		return colorprofile.ANSI, c.Theme, nil
	case "256":
		return colorprofile.ANSI256, c.Theme, nil
	case "true":
		return colorprofile.TrueColor, c.Theme, nil
	}
	return 0, "", fmt.Errorf("ui: colours %q are not known; there are auto, never, 16, 256, true", c.Color)
}

func lookup(environ []string, name string) string {
	for _, e := range environ {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}
