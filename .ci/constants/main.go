// Command constants varies the tuning constants of the dynamics, one after the other, and reports which of
// them no test notices. For each row of the tables of docs/physics.md it runs the test that the row names,
// unchanged, with twice and with half the value. Overlays of the compiler have the values: no file is
// changed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"strings"
)

const (
	page = "docs/physics.md"
	root = "sim/dynamics"
	// transmissions is the package of transmissions, which root imports.
	transmissions = "sim/transmission"
)

// options are the flags.
type options struct {
	rows, run, folder string
	both, update      bool
	jobs              int
}

func main() {
	o := options{}
	flag.StringVar(&o.rows, "rows", "", "constants to vary, as a regular expression; empty: all")
	flag.StringVar(&o.run, "run", "",
		"tests to run in place of those that the page names, as a regular expression")
	flag.StringVar(&o.folder, "package", root, "package of -run")
	flag.BoolVar(&o.both, "both", false, "halve constants too of which doubling is noticed")
	flag.BoolVar(&o.update, "update", false, "delete from "+listFile+" the rows that are noticed now")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "tests at the same time")
	flag.Parse()
	if err := check(o); err != nil {
		fmt.Fprintln(os.Stderr, "constants:", err)
		os.Exit(1)
	}
}

// check varies the constants and fails when a row is not noticed that is not listed, or listed and noticed.
func check(o options) error {
	wanted, err := regexp.Compile(o.rows)
	if err != nil {
		return fmt.Errorf("-rows: %w", err)
	}
	all, err := constants()
	if err != nil {
		return err
	}
	tests, err := testFolders()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "constants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := &binaries{ctx: ctx, dir: dir}
	if err := b.prepare(all); err != nil {
		return err
	}
	var rows []*constant
	for i := range all {
		c := &all[i]
		if !wanted.MatchString(c.name) {
			continue
		}
		if o.run != "" {
			c.test, c.folder, c.excuse = o.run, o.folder, false
		} else if c.folder = tests[c.test]; c.folder == "" && !c.excuse {
			return fmt.Errorf("%s: row of %s: no package below sim has the test %q", page, c.name, c.test)
		}
		if strings.Contains(c.test, "Golden") && !c.excuse {
			return fmt.Errorf("%s: row of %s: %s notices every change, and tells nothing of this one", page,
				c.name, c.test)
		}
		rows = append(rows, c)
	}
	if len(rows) == 0 {
		return fmt.Errorf("-rows %q: no row of %s has such a name", o.rows, page)
	}
	if err := b.baseline(rows, o.jobs); err != nil {
		return err
	}
	return errors.Join(b.vary(rows, o), compareList(rows, o))
}
