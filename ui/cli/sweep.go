package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simdeck/sim/scene"
	"simdeck/sim/sweep"
	"simdeck/ui/cli/batch"
	"simdeck/ui/cli/store"
	"simdeck/ui/escape"
	"simdeck/ui/readfile"
)

// runOfSweep is the hidden command that does one run of a sweep.
const runOfSweep = "sweep-run"

// errMissed is a sweep of which not all runs passed.
var errMissed = errors.New("not all runs passed")

// sweeping is the options of a sweep.
type sweeping struct {
	workers        int
	out            string
	index          int
	restart, retry bool
	list, collect  bool
	example        bool
	digest         bool
	kubernetes     bool
	job            batch.Job
	json           *bool
}

func (s *session) sweepCommand() *cobra.Command {
	a := sweeping{}
	cmd := &cobra.Command{
		Use:   "sweep FILE [RESULTS …]",
		Short: "Run every combination of worlds, seeds, scenarios and parameters, and say which passed",
		Long: "sweep runs a matrix that a YAML file asks for, each run as fast as possible in a process of its own, without ROS, as many at\n" +
			"once as there are processors. A run that crashes, hangs or is killed ends none of the others. Results are kept in\n" +
			"results.jsonl, a line for each run as it ends; the same command goes on where it was ended, also by kill -9. When all are done there is\n" +
			"results.csv too. The same file gives the same results, with any number of workers.\n" +
			"It exits with 1 when a run did not pass.",
		Example: "  simdeck sweep --example > braking.yaml\n  simdeck sweep braking.yaml\n  simdeck sweep braking.yaml --list\n  simdeck sweep braking.yaml --index 17\n  simdeck sweep braking.yaml --kubernetes | kubectl apply -f -\n  kubectl logs -l app.kubernetes.io/instance=braking --tail=-1 | simdeck sweep braking.yaml --collect -",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case a.collect:
				return cobra.MinimumNArgs(2)(cmd, args)
			case a.example:
				return cobra.MaximumNArgs(1)(cmd, args)
			}
			return cobra.ExactArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if *a.json && (a.example || a.kubernetes) {
				return fmt.Errorf("%w: --json with --example or --kubernetes: want one of them, for both print YAML",
					ErrUsage)
			}
			return s.sweep(cmd, args, a)
		},
	}
	f := cmd.Flags()
	f.IntVar(&a.workers, "workers", 0, "runs at once (default as many as there are processors)")
	f.StringVar(&a.out, "out", "", "folder for the results (default FILE's name with .results)")
	f.BoolVar(&a.example, "example", false, "print a file with all that one can say, and do nothing")
	f.BoolVar(&a.list, "list", false, "list the runs and do none")
	f.BoolVar(&a.digest, "digest", false,
		"print what tells this sweep's results from others', and do nothing")
	f.BoolVar(&a.restart, "restart", false, "throw earlier results away")
	f.BoolVar(&a.retry, "retry", false, "do runs again that crashed or took too long")
	f.IntVar(&a.index, "index", -1,
		"do one run alone and write its result to stdout; with --out also into a file there")
	f.BoolVar(&a.collect, "collect", false,
		"do nothing, but put results together that single runs have written, or the logs of those")
	f.BoolVar(&a.kubernetes, "kubernetes", false,
		"print the sweep as an Indexed Job for Kubernetes, with its files; --workers are pods at once (default 10)")
	f.StringVar(&a.job.Image, "image", "simdeck:"+s.Version,
		"with --kubernetes: the image of simdeck, which also holds what worlds name beside themselves")
	f.StringVar(&a.job.Volume, "volume", "",
		"with --kubernetes: a PersistentVolumeClaim that gets a file of each run too")
	a.json = withJSON(f)
	declare(f, lookup)
	return cmd
}

// runOfSweepCommand is the command that a sweep starts for each run.
func (s *session) runOfSweepCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: runOfSweep, Hidden: true, Args: cobra.NoArgs, Short: "Do one run of a sweep that stdin orders",
		RunE: func(cmd *cobra.Command, _ []string) error {
			open := func(world string) (scene.Library, scene.Resource, error) {
				o, _, err := s.options(cmd.Flags(), world)
				if err != nil {
					return nil, scene.Resource{}, err
				}
				return s.Library(o)
			}
			// Signals of a terminal are for the sweep, which ends its runs itself.
			return batch.RunChild(context.WithoutCancel(cmd.Context()), open, cmd.InOrStdin(),
				cmd.OutOrStdout())
		},
	}
	declare(cmd.Flags(), lookup)
	return cmd
}

func (s *session) sweep(cmd *cobra.Command, args []string, a sweeping) error {
	if a.example {
		_, err := io.WriteString(cmd.OutOrStdout(), sweep.Example)
		return err
	}
	order, err := batch.Read(args[0])
	if err != nil {
		return err
	}
	runs := order.Sweep().Runs
	switch {
	case a.workers < 0:
		return fmt.Errorf("%w: --workers %d: want 1 or more, or 0 for as many as there are processors",
			ErrUsage, a.workers)
	case a.index >= len(runs) || a.index < -1 || a.index < 0 && cmd.Flags().Changed("index"):
		return fmt.Errorf("%w: --index %d: want one of the %d runs, from 0 on", ErrUsage, a.index, len(runs))
	case a.list:
		return listRuns(cmd.OutOrStdout(), order.Sweep(), *a.json)
	case a.digest:
		return printDigest(cmd.OutOrStdout(), order, *a.json)
	}
	if a.kubernetes {
		if a.job.Parallelism = a.workers; a.workers == 0 {
			a.job.Parallelism = 10
		}
		return batch.WriteJob(cmd.OutOrStdout(), order, a.job)
	}
	if a.workers == 0 {
		a.workers = runtime.GOMAXPROCS(0)
	}
	if order.Sweep().SeedsAlone() {
		warn(cmd, "the seeds change nothing: only jitter.ENTITY is drawn from them, and there is none")
	}
	b := &batch.Batch{Order: order, Dir: a.out, Version: s.Version, Workers: a.workers, Restart: a.restart,
		Retry: a.retry,
		Said:  bar(order.Sweep(), cmd)}
	if b.Command, err = s.process(cmd.Flags(), a.workers); err != nil {
		return err
	}
	switch {
	case a.index >= 0:
		return oneRun(cmd.Context(), b, a.index, cmd.OutOrStdout())
	case a.collect:
		return collectRuns(b, args[1:], cmd.InOrStdin(), cmd.OutOrStdout(), *a.json)
	}
	if b.Dir == "" {
		b.Dir = strings.TrimSuffix(args[0], filepath.Ext(args[0])) + ".results"
	}
	rows, err := b.Run(cmd.Context())
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted: %d of %d runs are done, and the same command goes on with the others",
			len(rows), len(runs))
	}
	if errors.Is(err, store.ErrFull) {
		return fmt.Errorf("%w: %d of %d runs are done, and the same command goes on with the others", err,
			len(rows), len(runs))
	}
	if err != nil {
		return err
	}
	return summary(cmd.OutOrStdout(), order.Sweep(), rows, *a.json)
}

// summary is the result of all runs.
func summary(out io.Writer, s *sweep.Sweep, rows map[int]batch.Row, asJSON bool) error {
	if asJSON {
		if err := encode(out, batch.ResultsJSON(s, rows)); err != nil {
			return err
		}
	} else if err := batch.WriteSummary(out, s, rows); err != nil {
		return err
	}
	if !batch.AllPassed(s, rows) {
		return errMissed
	}
	return nil
}

// oneRun does one run; its row is the only line on stdout.
func oneRun(ctx context.Context, b *batch.Batch, index int, out io.Writer) error {
	digest, err := b.Order.Digest()
	if err != nil {
		return err
	}
	row := b.One(ctx, index, digest, func(float64) {})
	if err := ctx.Err(); err != nil {
		return err
	}
	line, err := json.Marshal(row)
	if err == nil && b.Dir != "" {
		err = keepRow(b.Dir, index, append(line, '\n'))
	}
	if err == nil {
		_, err = out.Write(append(line, '\n'))
	}
	if err == nil && row.Outcome != sweep.Passed {
		err = fmt.Errorf("%w: run %d %s: %s", errMissed, index, row.Outcome, row.Reason)
	}
	return err
}

// keepRow writes the row of a run into a file of its own.
func keepRow(dir string, index int, line []byte) error {
	folder, err := store.Open(dir)
	if err == nil {
		err = errors.Join(store.Replace(folder, "run-"+strconv.Itoa(index)+".jsonl", line), folder.Close())
	}
	if err != nil {
		return fmt.Errorf("the result of run %d cannot be kept: %w", index, err)
	}
	return nil
}

// collectRuns puts results together that single runs have written.
func collectRuns(b *batch.Batch, files []string, stdin io.Reader, out io.Writer, asJSON bool) error {
	digest, err := b.Order.Digest()
	if err != nil {
		return err
	}
	rows := map[int]batch.Row{}
	for _, name := range files {
		if name == "-" {
			err = batch.Collect(rows, b.Order, digest, "stdin", stdin)
		} else {
			var file *os.File
			if file, err = readfile.Open(name); err == nil {
				err = batch.Collect(rows, b.Order, digest, name, file)
				file.Close()
			}
		}
		if err != nil {
			return err
		}
	}
	if b.Dir != "" {
		if err := b.Keep(rows, digest); err != nil {
			return err
		}
	}
	return summary(out, b.Order.Sweep(), rows, asJSON)
}

// listRuns lists what would be run.
func listRuns(out io.Writer, s *sweep.Sweep, asJSON bool) error {
	if asJSON {
		return encode(out, batch.RunsJSON(s))
	}
	for i := range s.Runs {
		words := []string{strconv.Itoa(i)}
		for _, key := range s.Keys {
			if v := s.Runs[i].Value(key); v != "" {
				words = append(words, key+"="+v)
			}
		}
		if _, err := escape.Fprintln(out, strings.Join(words, " ")); err != nil {
			return err
		}
	}
	return nil
}

// printDigest prints what tells the results of a sweep from those of others.
func printDigest(out io.Writer, order *batch.Order, asJSON bool) error {
	digest, err := order.Digest()
	if err != nil {
		return err
	}
	if asJSON {
		return encode(out, map[string]string{"digest": digest})
	}
	_, err = escape.Fprintln(out, digest)
	return err
}

// process makes the command of a run's process: this program, with what was said of where worlds are found.
// Runs that go beside each other share the processors.
func (s *session) process(flags *pflag.FlagSet, workers int) (func() *exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{runOfSweep}
	flags.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "path":
			args = append(args, "--path="+strings.Trim(f.Value.String(), "[]"))
		case "config":
			args = append(args, "--config="+f.Value.String())
		}
	})
	share := max(1, runtime.GOMAXPROCS(0)/workers)
	return func() *exec.Cmd {
		c := exec.Command(self, args...)
		c.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(share))
		return c
	}, nil
}

// bar is the progress, on a terminal or elsewhere; a quiet sweep shows none.
func bar(s *sweep.Sweep, cmd *cobra.Command) *batch.Bar {
	p := progressOf(cmd)
	b := &batch.Bar{Sweep: s, Out: p.to}
	if p.to == nil {
		b.Out = io.Discard
	}
	if p.out != nil {
		b.Terminal = true
		b.Width, _, _ = term.GetSize(p.out.File().Fd())
	}
	return b
}
