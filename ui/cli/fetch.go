package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simdeck/sim/scene"
	"simdeck/ui/cli/worldfile"
	"simdeck/ui/escape"
	"simdeck/ui/fetch"
	"simdeck/ui/pane"
)

// fetching is the options of fetch.
type fetching struct {
	to, size             string
	hosts                []string
	time                 time.Duration
	dry, verify, jsonOut bool
}

// fetchCommand is the command that brings files.
func fetchCommand(s *session) *cobra.Command {
	var c fetching
	most := fetch.DefaultLimits()
	cmd := &cobra.Command{
		Use: "fetch WORLD…", Short: "Bring copies of the files that worlds name by https addresses, to open them offline",
		Args: cobra.ArbitraryArgs,
		Long: "fetch asks servers for what worlds or robots name by addresses and what has no copy here: models of Fuel with all that\n" +
			"they include, PROTOs and textures of Webots, meshes. It is the only command that does; the others do before they\n" +
			"load a world with --fetch. Copies go to ~/.cache/simdeck/assets, or to the folder of --assets, with their SHA-256\n" +
			"in its SHA256SUMS. --to makes a mirror: a folder that holds all a world needs, whatever this user has elsewhere, to be\n" +
			"taken to a machine without a network and named there with --assets.\n" +
			"A download that broke is continued by the next run. WORLD may be the address of a model or world, too. fetch exits\n" +
			"with 3 when something cannot be had.",
		Example: "  simdeck fetch warehouse.sdf\n  simdeck fetch depot.sdf office.wbt --to mirror\n  simdeck fetch depot.sdf --dry-run\n" +
			"  simdeck fetch --verify --to mirror",
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.verify {
				return c.verifyFolder(s, cmd, args)
			}
			if len(args) == 0 {
				return fmt.Errorf("%w: missing argument WORLD: want a world or robot whose files to bring", ErrUsage)
			}
			return c.fetch(s, cmd, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.to, "to", "", "folder that is to hold all the worlds need: a mirror (default that of --assets, else ~/.cache/simdeck/assets)")
	f.StringSliceVar(&c.hosts, "host", nil,
		"hosts of private networks that may be asked, and others to which a server may redirect: HOST or HOST:PORT")
	f.StringVar(&c.size, "max-size", pane.Size(most.Total), "bytes that may be brought in all, like 500MB; of one file an eighth")
	f.DurationVar(&c.time, "max-time", most.Time, "time for all; the next run goes on from there")
	f.BoolVar(&c.dry, "dry-run", false, "ask no server; list what has no copy yet, as far as that is known")
	f.BoolVar(&c.verify, "verify", false, "ask no server; compare the copies with SHA256SUMS")
	f.BoolVar(&c.jsonOut, "json", false, "as JSON")
	declare(f, lookup)
	return cmd
}

// limits are the bounds that the flags ask for.
func (c fetching) limits() (fetch.Limits, error) {
	l := fetch.DefaultLimits()
	size, err := parseSize(c.size)
	switch {
	case err != nil:
		return l, fmt.Errorf("%w: --max-size %w", ErrUsage, err)
	case c.time <= 0:
		return l, fmt.Errorf("%w: --max-time %v: want more than 0", ErrUsage, c.time)
	}
	l.Total, l.File, l.Time = size, max(size/8, 1), c.time
	return l, nil
}

// parseSize reads a number of bytes: 1500, 20 kB, 1.5GB.
func parseSize(text string) (int64, error) {
	number, factor := strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), "B"), 1.0
	for i, unit := range "KMGT" {
		if rest, ok := strings.CutSuffix(number, string(unit)); ok {
			number, factor = rest, math.Pow10(3*(i+1))
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if n *= factor; err != nil || !(n >= 1 && n <= 1e15) {
		return 0, fmt.Errorf("%q: want bytes like 500MB or 2GB, 1 PB at most", text)
	}
	return int64(n), nil
}

// folder is the folder of copies.
func (c fetching) folder(o Options) (string, error) {
	dir := cmp.Or(c.to, o.Assets, Downloads())
	if dir == "" {
		return "", fmt.Errorf("%w: this user has no home folder: want --to DIR", ErrUsage)
	}
	return dir, nil
}

// of is the options of a world that is to be fetched.
func (c fetching) of(o Options) (Options, error) {
	dir, err := c.folder(o)
	if o.Assets != "" || c.to != "" {
		o.Assets = dir
	}
	o.Mirror = c.to != ""
	return o, err
}

// fetched is the JSON of fetch.
type fetched struct {
	Folder  string          `json:"folder"`
	Brought []fetch.Brought `json:"brought"`
	Failed  []failedFetch   `json:"failed"`
	Files   int             `json:"files"`
	Bytes   int64           `json:"bytes"`
}

// failedFetch is an address without a copy: why; or with --dry-run no reason.
type failedFetch struct {
	URL    string `json:"url"`
	Reason string `json:"reason,omitempty"`
}

// fetch brings what worlds lack.
func (c fetching) fetch(s *session, cmd *cobra.Command, args []string) error {
	l, err := c.limits()
	if err != nil {
		return err
	}
	all := fetched{Brought: []fetch.Brought{}, Failed: []failedFetch{}}
	var errs []error
	for _, world := range worldfile.WithArguments(args) {
		o, _, err := s.options(cmd.Flags(), world)
		if err == nil {
			o, err = c.of(o)
		}
		if err != nil {
			return err
		}
		all.Folder, _ = c.folder(o)
		var r fetch.Report
		if c.dry {
			r, err = lacks(cmd.Context(), s, o)
		} else {
			r, err = bring(s, cmd, o, fetch.Config{Folder: all.Folder, Limits: l, Hosts: c.hosts})
		}
		all.add(r)
		if !c.jsonOut {
			printBrought(cmd, r)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", world, err))
		}
		if late := cmd.Context().Err(); late != nil {
			return errors.Join(errs...)
		}
	}
	if c.jsonOut {
		errs = append(errs, encode(cmd.OutOrStdout(), all))
	} else {
		all.print(cmd, c.dry)
	}
	if n := len(all.Failed); n > 0 && !c.dry {
		errs = append(errs, fmt.Errorf("%w: %d of %d addresses have no copy", scene.ErrMissingAssets, n,
			n+len(all.Brought)))
	}
	return errors.Join(errs...)
}

// bring brings what a world lacks, and tells how far it is.
func bring(s *session, cmd *cobra.Command, o Options, c fetch.Config) (fetch.Report, error) {
	task := progressOf(cmd).Begin("Fetching what " + o.World + " needs")
	defer task.End()
	c.Agent = "simdeck/" + s.Version
	c.Tell = func(p fetch.Progress) {
		far := fmt.Sprintf("%d of %d, %s", p.Done+1, p.Wanted, pane.Size(p.Bytes))
		if p.Of > 0 {
			far += " of " + pane.Size(p.Of)
		}
		task.Report(far)
	}
	return fetch.Run(cmd.Context(), c, func(ctx context.Context) ([]fetch.Item, error) {
		return s.Wants(ctx,
			o)
	})
}

// lacks lists what a world has no copies of.
func lacks(ctx context.Context, s *session, o Options) (r fetch.Report, err error) {
	items, err := s.Wants(ctx, o)
	for _, it := range items {
		r.Failed = append(r.Failed, fetch.Failure{URL: it.URL})
	}
	if len(items) > 0 { // the world may be one of them
		err = nil
	}
	return r, err
}

// fetchFirst brings what the named worlds lack, where --fetch asks for it. It warns of files that cannot be
// had: boxes stand in for them.
func fetchFirst(s *session, cmd *cobra.Command, o *Options) error {
	for _, o := range o.All() {
		if !o.Fetch || o.Text != "" || s.Wants == nil {
			continue
		}
		dir, err := fetching{}.folder(*o)
		if err != nil {
			return err
		}
		r, err := bring(s, cmd, *o, fetch.Config{Folder: dir, Limits: fetch.DefaultLimits()})
		switch {
		case cmd.Context().Err() != nil:
			return cmd.Context().Err()
		case err != nil && len(r.Brought)+len(r.Failed) > 0: // else loading will say it
			warn(cmd, "--fetch: "+oneLine(err))
		}
		for _, f := range r.Failed {
			warn(cmd, "--fetch: "+f.URL+": "+oneLine(f.Err))
		}
	}
	return nil
}

// add takes over what was done for one world.
func (f *fetched) add(r fetch.Report) {
	f.Brought = append(f.Brought, r.Brought...)
	for _, x := range r.Failed {
		failed := failedFetch{URL: x.URL}
		if x.Err != nil {
			failed.Reason = oneLine(x.Err)
		}
		f.Failed = append(f.Failed, failed)
	}
	f.Files += r.Files
	f.Bytes += r.Bytes
}

// printBrought lists what was done for one world.
func printBrought(cmd *cobra.Command, r fetch.Report) {
	for _, b := range r.Brought {
		escape.Fprintf(cmd.OutOrStdout(), "%-7s %s\n", pane.Size(b.Bytes), b.Path)
	}
	for _, f := range r.Failed {
		why := "no copy yet"
		if f.Err != nil {
			why = oneLine(f.Err)
		}
		escape.Fprintf(cmd.OutOrStdout(), "%-7s %s: %s\n", "—", f.URL, why)
	}
}

// print sums up what was done.
func (f *fetched) print(cmd *cobra.Command, dry bool) {
	out := cmd.OutOrStdout()
	switch {
	case dry && len(f.Failed) > 0:
		escape.Fprintf(out, "%d addresses have no copy in %s yet; they may name more\n", len(f.Failed), f.Folder)
	case len(f.Brought)+len(f.Failed) == 0:
		escape.Fprintln(out, "every file that they name has a copy")
	default:
		escape.Fprintf(out, "%d files, %s, are new in %s\n", f.Files, pane.Size(f.Bytes), f.Folder)
	}
}

// verifyFolder compares the copies in a folder with their sums.
func (c fetching) verifyFolder(s *session, cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%w: --verify with %q: want no world, it compares all of --to or --assets", ErrUsage, args[0])
	}
	o, _, err := s.options(cmd.Flags(), "")
	if err != nil {
		return err
	}
	dir, err := c.folder(o)
	if err != nil {
		return err
	}
	task := progressOf(cmd).Begin("Comparing the files in " + dir)
	n, wrong, err := fetch.Verify(cmd.Context(), dir)
	task.End()
	if err != nil {
		return err
	}
	all := fetched{Folder: dir, Brought: []fetch.Brought{}, Failed: []failedFetch{}, Files: n}
	all.add(fetch.Report{Failed: wrong})
	if c.jsonOut {
		err = encode(cmd.OutOrStdout(), all)
	} else {
		for _, f := range all.Failed {
			escape.Fprintf(cmd.OutOrStdout(), "%s: %s\n", f.URL, f.Reason)
		}
		escape.Fprintf(cmd.OutOrStdout(), "%d files in %s, %d of them not as %s has them\n", n, dir, len(wrong), fetch.Sums)
	}
	if len(wrong) > 0 {
		err = errors.Join(err, fmt.Errorf("%w: %d of %d files in %s are missing or changed", scene.ErrMissingAssets,
			len(wrong), n, dir))
	}
	return err
}
