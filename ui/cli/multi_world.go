package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simdeck/ui/cli/store"
	"simdeck/ui/cli/workers"
	"simdeck/ui/escape"
	"simdeck/ui/readfile"
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
		"webots-controllers or run-controllers": o.Webots != nil,
		"autopilot":                             len(o.Autopilots.Vehicles) > 0,
		"services-namespace":                    o.ROS.Services != "",
		"legacy":                                o.ROS.Legacy != "", "object-config": o.ROS.Worker != nil &&
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

// workersCommand keeps a worker for each simulation of a file.
func (s *session) workersCommand() *cobra.Command {
	file, topic, target, image, most := "", "", "", "simdeck:"+s.Version, 16
	cmd := &cobra.Command{
		Use:   "workers {--file FILE | --topic NAME} [-- FLAG …]",
		Short: "Keep a simulation worker running for each simulation of a file or a topic",
		Long: "workers reads a YAML file with a list of simulations, each with ns (its namespace), object (its world: a file, or the name\n" +
			"of one in the storage or of a shipped world) and perhaps report_path, and runs a worker of l2_msgs for each, in a process of its own. One that fails is\n" +
			"started again, after a pause that grows from 1 s to 1 min; one that quits is not. All of them end with this command.\n" +
			"With --topic, l2_msgs/Simulation messages on a topic ask for them: ns, report_path and object.name, a world of\n" +
			"the storage or a shipped one; a message without that name ends it, and all of a publisher end with it. Every participant of the network may ask.\n" +
			"What stands behind -- goes to every worker. With --print nothing runs: manifests go to stdout.",
		Example: "  simdeck workers --file simulations.yaml -- --domain 3\n  simdeck workers --file simulations.yaml --print kubernetes | kubectl apply -f -\n  simdeck workers --topic /l2/simulations --most 4",
		Args: func(cmd *cobra.Command, args []string) error {
			if dash := cmd.ArgsLenAtDash(); dash != 0 {
				return cobra.NoArgs(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case target != "" && target != "kubernetes" && target != "swarm":
				return fmt.Errorf("%w: --print %q: want kubernetes or swarm", ErrUsage, target)
			case most < 1:
				return fmt.Errorf("%w: --most %d: want 1 or more", ErrUsage, most)
			case (file == "") == (topic == ""):
				return fmt.Errorf("%w: want either --file with the simulations, or --topic that asks for them", ErrUsage)
			case topic != "" && target != "":
				return fmt.Errorf("%w: --print wants --file", ErrUsage)
			}
			program, err := os.Executable()
			if err != nil {
				return err
			}
			log := escape.NewWriter(cmd.ErrOrStderr())
			v := &workers.Supervisor{Program: program, More: args, Env: s.environ, Output: log,
				Log:   slog.New(slog.NewTextHandler(log, nil)),
				Least: time.Second, Longest: time.Minute, Steady: time.Minute, Grace: 10 * time.Second}
			if topic != "" {
				return s.follow(cmd, v, topic, most)
			}
			data, err := readfile.All(file, 1<<20)
			if err != nil {
				return err
			}
			all, err := workers.Parse(file, data)
			switch {
			case err != nil:
				return fmt.Errorf("%w: %w", ErrUsage, err)
			case target == "kubernetes":
				return workers.Kubernetes(cmd.OutOrStdout(), all, image, args)
			case target == "swarm":
				return workers.Swarm(cmd.OutOrStdout(), all, image, args)
			case len(all) > most:
				return fmt.Errorf("%w: %s asks for %d simulations; --most allows %d on this machine", ErrUsage,
					file, len(all), most)
			}
			v.Run(cmd.Context(), all)
			return nil
		},
	}
	f := cmd.Flags()
	declare(f, graph|logged)
	f.StringVar(&file, "file", "", "YAML file with the simulations")
	f.StringVar(&topic, "topic", "", "topic of l2_msgs/Simulation that asks for simulations")
	f.StringVar(&target, "print", "", "print manifests for kubernetes (Jobs) or swarm (services), and run nothing")
	f.StringVar(&image, "image", image, "with --print: the image of simdeck, which also holds worlds that are files")
	f.IntVar(&most, "most", most, "workers on this machine at most")
	return cmd
}

// follow keeps a worker for each simulation that a topic asks for. Workers run in a folder of their own: a
// name of a stranger is no file of this command's.
func (s *session) follow(cmd *cobra.Command, v *workers.Supervisor, topic string, most int) error {
	o, _, err := s.options(cmd.Flags(), "")
	if err != nil {
		return err
	}
	v.Dir = filepath.Join(s.stateDir(), "workers")
	folder, err := store.Open(v.Dir)
	if err != nil {
		return err
	}
	folder.Close()
	v.More = append([]string{fmt.Sprintf("--domain=%d", o.ROS.Domain)}, v.More...)
	ctx, end := context.WithCancel(cmd.Context())
	lists := make(chan []workers.Simulation)
	var following sync.WaitGroup
	following.Go(func() { v.Follow(ctx, lists, most) })
	err = s.Requests(ctx, o, topic, func(all []workers.Simulation) {
		all = slices.DeleteFunc(all, func(one workers.Simulation) bool {
			err := one.CheckAsked()
			if err != nil {
				v.Log.Warn("a simulation that is asked for is not run", "ns", one.Namespace, "why", err)
			}
			return err != nil
		})
		select {
		case lists <- all:
		case <-ctx.Done():
		}
	})
	end()
	following.Wait()
	return err
}
