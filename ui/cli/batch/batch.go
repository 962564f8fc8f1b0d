package batch

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"sync"
	"time"

	"simdeck/sim/sweep"
)

// Batch is the way in which the runs of a sweep are executed.
type Batch struct {
	Order   *Order
	Dir     string // where results are kept
	Version string // of simdeck
	Workers int    // runs at once
	Restart bool   // earlier results are thrown away
	Retry   bool   // runs that crashed or took too long are done again
	// Command makes the process of a run, which does what RunChild does.
	Command func() *exec.Cmd
	Said    Progress
}

// Progress is told how far a sweep is. Calls come from one goroutine.
type Progress interface {
	// Begin says how many runs there are, and how many of them were done before.
	Begin(runs, before int)
	// At says what goes on: by their index, how much of each run that is under way is done, from 0 to 1.
	At(under map[int]float64)
	// Done says what became of a run.
	Done(r *sweep.Run, row Row)
	// End says that nothing comes any more.
	End()
}

// event is a worker's report: a run's begin, progress or end.
type event struct {
	index int
	part  float64 // of the run
	row   *Row    // it has ended
}

// Run does what is not done yet. When ctx ends it kills what is under way, which counts as not done. The rows
// are those of all runs, by index.
func (b *Batch) Run(ctx context.Context) (rows map[int]Row, err error) {
	digest, err := b.Order.Digest()
	if err != nil {
		return nil, err
	}
	j, err := openJournal(b.Dir, digest, b.Version, len(b.Order.Sweep().Runs), b.Restart)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	left := b.left(j.rows)
	b.Said.Begin(len(b.Order.Sweep().Runs), len(b.Order.Sweep().Runs)-len(left))
	defer b.Said.End()
	if err := b.work(ctx, j, digest, left); err != nil {
		return j.rows, err
	}
	return j.rows, j.writeTable(b.Order.Sweep())
}

// left are the runs that are still to be done.
func (b *Batch) left(rows map[int]Row) (left []int) {
	for i := range b.Order.Sweep().Runs {
		row, ok := rows[i]
		if again := b.Retry && (row.Outcome == sweep.Crashed || row.Outcome == sweep.Late); !ok || again {
			left = append(left, i)
		}
	}
	return left
}

// work has workers do runs, and writes down what became of them.
func (b *Batch) work(ctx context.Context, j *journal, digest string, left []int) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	next, events := make(chan int), make(chan event)
	var workers sync.WaitGroup
	for range min(b.Workers, len(left)) {
		workers.Go(func() { b.worker(ctx, next, events, digest) })
	}
	go func() { feed(ctx, left, next); workers.Wait(); close(events) }()
	under := map[int]float64{}
	for e := range events {
		if e.row == nil {
			under[e.index] = e.part
			b.Said.At(under)
			continue
		}
		delete(under, e.index)
		if err != nil || ctx.Err() != nil {
			continue // killed, and not by what it is
		}
		if err = j.add(*e.row); err != nil {
			stop()
			continue
		}
		b.Said.Done(&b.Order.Sweep().Runs[e.index], *e.row)
	}
	if err != nil {
		return err
	}
	return context.Cause(ctx)
}

// feed hands out runs until ctx ends.
func feed(ctx context.Context, left []int, next chan<- int) {
	defer close(next)
	for _, i := range left {
		select {
		case next <- i:
		case <-ctx.Done():
			return
		}
	}
}

// worker does a run after the other.
func (b *Batch) worker(ctx context.Context, next <-chan int, events chan<- event, digest string) {
	for i := range next {
		events <- event{index: i}
		row := b.One(ctx, i, digest, func(part float64) { events <- event{index: i, part: part} })
		events <- event{index: i, row: &row}
	}
}

// One does one run in a process and says what became of it.
func (b *Batch) One(ctx context.Context, index int, digest string, told func(part float64)) Row {
	run := &b.Order.Sweep().Runs[index]
	row := Row{Sweep: digest, Version: b.Version, Values: run.Values,
		Result: sweep.Result{Index: index, Outcome: sweep.Crashed}}
	order := *b.Order
	order.Index = index
	text, err := json.Marshal(order)
	if err != nil {
		row.Reason = err.Error()
		return row
	}
	begun := time.Now()
	c := child{command: b.Command(), order: text,
		told: func(at float64) { told(min(1, at/run.Duration.Seconds())) }}
	row.Result = c.run(ctx, index, b.Order.Sweep().Timeout)
	row.Took = time.Since(begun).Seconds()
	return row
}
