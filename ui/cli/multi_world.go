package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/pflag"
)

// each is the options of each world where every one has a namespace of its own; nil: there is one world,
// without that.
func (s *session) each(flags *pflag.FlagSet, worlds []string, v *values, o *Options) ([]Options, error) {
	if !v.yes("each-namespace") {
		if len(worlds) > 1 {
			return nil, fmt.Errorf("%w: surplus argument %q: want one WORLD, or --each-namespace",
				ErrUsage, worlds[1])
		}
		return nil, nil
	}
	for key, given := range map[string]bool{"trace": o.Trace != "", "metrics": o.Metrics != "",
		"webots-controllers": o.Webots != nil,
		"legacy":             o.ROS.Legacy != "", "object-config": o.ROS.Worker != nil &&
			o.ROS.Worker.ObjectConfig != ""} {
		if given {
			return nil, fmt.Errorf("%w: %s is for one world alone: want it, or each-namespace", ErrUsage, key)
		}
	}
	if len(worlds) == 0 {
		worlds = []string{s.DefaultWorld}
	}
	var all []Options
	labels := Labels(fileNames(worlds))
	for i, world := range worlds {
		one, _, err := s.options(flags, world)
		if err != nil {
			return nil, err
		}
		if one.Recording.Dir != "" {
			one.Recording.Dir = filepath.Join(one.Recording.Dir, labels[i])
		}
		all = append(all, one)
	}
	return all, nil
}

// fileNames are the names of files without folders and endings.
func fileNames(worlds []string) (all []string) {
	for _, w := range worlds {
		w, _ = macroFile(w)
		w = w[strings.LastIndexAny(w, "/\\")+1:]
		if dot := strings.IndexByte(w, '.'); dot > 0 {
			w = w[:dot]
		}
		all = append(all, w)
	}
	return all
}

// Labels gives each world a name of its own for ROS and for folders. Characters that are not allowed are
// replaced; names that occur again are numbered.
func Labels(names []string) []string {
	taken := map[string]bool{}
	var all []string
	for _, name := range names {
		base := strings.Trim(notInNames.ReplaceAllString(name, "_"), "_")
		if base == "" || base[0] >= '0' && base[0] <= '9' {
			base = strings.TrimSuffix("world_"+base, "_")
		}
		label := base
		for n := 2; taken[label]; n++ {
			label = base + "_" + strconv.Itoa(n)
		}
		taken[label] = true
		all = append(all, label)
	}
	return all
}

// Inside is a namespace within another, which may be empty.
func Inside(namespace, label string) string {
	return "/" + strings.TrimPrefix(strings.Trim(namespace, "/")+"/"+label, "/")
}

// All are these options and those of each world.
func (o *Options) All() []*Options {
	all := []*Options{o}
	for i := range o.Each {
		all = append(all, &o.Each[i])
	}
	return all
}

// RunAll runs several worlds on one network behind front. A world that quits or reaches its duration ends
// alone. After the last world, front or ctx has ended, RunAll ends the other worlds and then the network.
func RunAll(ctx context.Context, worlds []*Running, network func(context.Context) error,
	front func(context.Context) error) error {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	down := make(chan error, 1)
	go func() { down <- network(background) }()
	errs := make([]error, len(worlds))
	var running sync.WaitGroup
	for i, w := range worlds {
		running.Go(func() {
			errs[i] = w.Run(ctx, func(ctx context.Context) error { <-ctx.Done(); return nil })
			if errs[i] != nil {
				w.Log.Error("world ended, the others continue", "error", errs[i])
			}
		})
	}
	go func() { running.Wait(); leave() }()
	err := front(ctx)
	leave()
	running.Wait()
	stop()
	if lost := <-down; lost != nil {
		worlds[0].Log.Error("ROS 2 is down", "error", lost)
	}
	return errors.Join(append(errs, err)...)
}
