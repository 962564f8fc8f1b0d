package ui_test

import (
	"context"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"charm.land/bubbles/v2/table"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/uitest"
)

// wire counts what goes to a terminal.
type wire struct{ bytes atomic.Int64 }

func (w *wire) Write(p []byte) (int, error) {
	w.bytes.Add(int64(len(p)))
	return len(p), nil
}

// processor is the CPU time of this process.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

const watching = 2 * time.Second

// watch runs a program on a terminal of 120 by 40 cells, in a world of 10,000 entities that all move or rest.
// It reports the output to the terminal and the CPU time of this process.
func watch(b *testing.B, moves bool, key string,
	run func(ctx context.Context, backend *uitest.Backend, in io.Reader, out io.Writer) error) {
	for b.Loop() {
		backend, out := uitest.Busy(10000), &wire{}
		if !moves {
			if _, err := backend.Do(b.Context(), sim.SetState{State: sim.Paused}); err != nil {
				b.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(b.Context())
		in, keys := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- run(ctx, backend, in, out) }()
		time.Sleep(500 * time.Millisecond) // the first frame is another figure
		bytes, cpu := out.bytes.Load(), processor(b)
		// keys repeat so fast, and the world changes 10 times a second
		tick := time.NewTicker(time.Second / 30)
		i := 0
		for end := time.Now().Add(watching); time.Now().Before(end); i++ {
			<-tick.C
			if moves && i%3 == 0 {
				backend.Advance(25)
			}
			if key != "" {
				if _, err := io.WriteString(keys, key); err != nil {
					b.Fatal(err)
				}
			}
		}
		tick.Stop()
		if key != "" { // a slow program gets fewer
			b.ReportMetric(float64(out.bytes.Load()-bytes)/float64(i), "B/key")
			b.ReportMetric(float64(i)/watching.Seconds(), "keys/s")
		}
		b.ReportMetric(float64(out.bytes.Load()-bytes)/watching.Seconds(), "B/s")
		b.ReportMetric(100*(processor(b)-cpu).Seconds()/watching.Seconds(), "%core")
		cancel()
		keys.Close()
		if err := <-ended; err != nil {
			b.Fatal(err)
		}
	}
}

// ours runs the console, one pane in the whole window or all of them.
func ours(b *testing.B, zoomed bool) func(ctx context.Context, backend *uitest.Backend, in io.Reader,
	out io.Writer) error {
	return func(ctx context.Context, backend *uitest.Backend, in io.Reader, out io.Writer) error {
		sizes := make(chan ui.Size, 1)
		sizes <- ui.Size{Columns: 120, Rows: 40}
		c := ui.Config{Backend: backend, Keymap: shipped(b), Input: in, Output: out,
			Far:     ui.Far{Sizes: sizes},
			Color:   "256",
			Environ: []string{"TERM=xterm-256color", "SSH_TTY=bench"}}
		if zoomed {
			c.Input = io.MultiReader(&oneByOne{"z"}, in)
		}
		return ui.Run(ctx, c)
	}
}

// oneByOne gives the letters of a text one at a time.
type oneByOne struct{ left string }

func (r *oneByOne) Read(p []byte) (int, error) {
	if r.left == "" {
		return 0, io.EOF
	}
	n := copy(p, r.left[:1])
	r.left = r.left[n:]
	return n, nil
}

// bubbles is the table of the same entities as the library has it.
type bubbles struct {
	backend *uitest.Backend
	table   table.Model
}

type bubblesTick struct{}

func (m *bubbles) Init() tea.Cmd { return m.tick() }

func (m *bubbles) tick() tea.Cmd {
	return tea.Tick(33*time.Millisecond, func(time.Time) tea.Msg { return bubblesTick{} })
}

func (m *bubbles) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(bubblesTick); ok {
		s := m.backend.Snapshot()
		rows := make([]table.Row, len(s.Entities))
		number := func(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
		for i := range rows {
			e, p := &s.Model.Entities[i], s.Entities[i].Pose.Pos
			rows[i] = table.Row{e.Name, "dynamic", "moving", number(p.X), number(p.Y), number(p.Z),
				number(s.Entities[i].Pose.Rot.Yaw()), number(s.Entities[i].Twist.Linear.Len()),
				strings.Join(e.Info.Tags, " "), e.Spec.Name}
		}
		m.table.SetRows(rows)
		return m, m.tick()
	}
	var cmd tea.Cmd
	m.table, cmd = m.table.Update(msg)
	return m, cmd
}

func (m *bubbles) View() tea.View {
	v := tea.NewView(m.table.View())
	v.AltScreen = true
	return v
}

func theirs(ctx context.Context, backend *uitest.Backend, in io.Reader, out io.Writer) error {
	var columns []table.Column
	for _, c := range []struct {
		title string
		width int
	}{{"name", 22}, {"kind", 7}, {"state", 6}, {"x", 8}, {"y", 8}, {"z", 7}, {"yaw", 6}, {"speed", 6},
		{"tags", 16}, {"model", 12}} { // as the console has them
		columns = append(columns, table.Column{Title: c.title, Width: c.width})
	}
	m := &bubbles{backend, table.New(table.WithColumns(columns), table.WithHeight(38), table.WithWidth(118),
		table.WithFocused(true))}
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out),
		tea.WithWindowSize(120, 40),
		tea.WithColorProfile(colorprofile.ANSI256),
		tea.WithEnvironment([]string{"TERM=xterm-256color", "SSH_TTY=bench"}),
		tea.WithoutSignalHandler()).Run()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// nobody reads keys and shows nothing.
func nobody(ctx context.Context, _ *uitest.Backend, in io.Reader, _ io.Writer) error {
	go io.Copy(io.Discard, in)
	<-ctx.Done()
	return nil
}

// BenchmarkWire measures the output to a terminal per second and the CPU time with 10,000 entities. The
// programs are the whole console, its table alone, the library's table of the same rows, and none, for the
// world's part.
func BenchmarkWire(b *testing.B) {
	for _, who := range []struct {
		name string
		run  func(context.Context, *uitest.Backend, io.Reader, io.Writer) error
	}{{"nobody", nobody}, {"console", ours(b, false)}, {"table", ours(b, true)}, {"bubbles", theirs}} {
		for _, what := range []struct {
			name  string
			moves bool
			key   string
		}{{"idle", false, ""}, {"busy", true, ""}, {"scrolling", true, "j"}} {
			b.Run(who.name+"/"+what.name, func(b *testing.B) { watch(b, what.moves, what.key, who.run) })
		}
	}
}
