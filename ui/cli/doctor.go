package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simdeck/sim/scene"
	"simdeck/ui/cli/store"
	"simdeck/ui/escape"
	"simdeck/ui/readfile"
)

// Finding is the result of one check.
type Finding struct {
	Area string `json:"area"` // "network", "machine", "files", "terminal"
	What string `json:"what"`
	Bad  bool   `json:"bad"` // it keeps something from working; else Fix, if any, is advice
	Said string `json:"said"`
	Fix  string `json:"fix,omitempty"`
}

// errSick is doctor's error where something is wrong.
var errSick = errors.New("simdeck cannot work here")

func (s *session) doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Look at network, machine, files and terminal: what would keep simdeck from working here, and the fix",
		Args: cobra.NoArgs,
		Long: "doctor looks at interfaces, ports and multicast of the domain, who is there, clock and buffers of the machine, folders and\n" +
			"settings, and what the terminal can show. It takes some five seconds, and fails (exit code 1) when something would not work.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, _, err := s.options(cmd.Flags(), "")
			if err != nil {
				return err
			}
			looked := wait(cmd, "Looking at network, machine and files")
			all := append(s.Doctor(cmd.Context(), o), machine()...)
			all = append(all, s.folders(o)...)
			looked()
			if err := printFindings(cmd.OutOrStdout(), all, asJSON); err != nil {
				return err
			}
			for _, f := range all {
				if f.Bad {
					return errSick
				}
			}
			return nil
		},
	}
	declare(cmd.Flags(), graph|lookup|view)
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func printFindings(out io.Writer, all []Finding, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(all)
	}
	var b strings.Builder
	area := ""
	for _, f := range all {
		if f.Area != area {
			area = f.Area
			escape.Fprintln(&b, area)
		}
		mark := "ok"
		switch {
		case f.Bad:
			mark = "BAD"
		case f.Fix != "":
			mark = "note"
		}
		escape.Fprintf(&b, "  %-4s  %-16s %s\n", mark, f.What, f.Said)
		if f.Fix != "" {
			escape.Fprintf(&b, "  %-4s  %-16s → %s\n", "", "", f.Fix)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// Sizes and times below which something goes badly.
const (
	wantedBuffer = 2 << 20              // bytes: a picture or a cloud in one burst
	lateSleep    = 5 * time.Millisecond // how late a sleep of a millisecond may end
)

// machine looks at clock and buffers.
func machine() []Finding {
	all := []Finding{{Area: "machine", What: "processors",
		Said: fmt.Sprintf("%d, of which %d may be used; %s/%s", runtime.NumCPU(), runtime.GOMAXPROCS(0),
			runtime.GOOS, runtime.GOARCH)}}
	clock := Finding{Area: "machine", What: "clock", Said: time.Now().Format(time.RFC3339)}
	if time.Now().Year() < 2025 {
		clock.Bad, clock.Fix = true, "set the clock: other nodes drop messages that are years old"
	}
	sleeps := Finding{Area: "machine", What: "timers"}
	worst := oversleep(50)
	sleeps.Said = fmt.Sprintf("a sleep of 1 ms ends at most %v late", worst.Round(10*time.Microsecond))
	if worst > lateSleep {
		sleeps.Fix = "the machine is busy: real-time steps will come in bursts"
	}
	all = append(all, clock, sleeps)
	if text, err := readfile.All("/proc/sys/net/core/rmem_max", 1<<10); err == nil {
		all = append(all, receiveBuffer(string(text)))
	}
	return all
}

// oversleep is by how much the latest of some sleeps was late.
func oversleep(times int) (worst time.Duration) {
	for range times {
		began := time.Now()
		time.Sleep(time.Millisecond)
		worst = max(worst, time.Since(began)-time.Millisecond)
	}
	return worst
}

// receiveBuffer judges how much of a burst the system keeps for a socket.
func receiveBuffer(text string) Finding {
	f := Finding{Area: "machine", What: "receive buffer", Said: strings.TrimSpace(text) + " bytes at most"}
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && n < wantedBuffer {
		f.Fix = fmt.Sprintf("large images and clouds come in bursts: sysctl -w net.core.rmem_max=%d",
			wantedBuffer)
	}
	return f
}

// folders looks at what simdeck reads and writes.
func (s *session) folders(o Options) []Finding {
	all := []Finding{writable("state", s.stateDir()), noted(s.stateDir(), time.Now())}
	if o.Cache != "" {
		all = append(all, writable("cache", o.Cache))
	}
	asked, inherited := o.SearchPaths()
	path := Finding{Area: "files", What: "search path", Said: "the embedded worlds"}
	for _, dir := range append(asked, inherited...) {
		path.Said += ", " + dir
		if _, err := os.Stat(dir); err != nil {
			path.Fix = strings.TrimPrefix(path.Fix+"; "+dir+" does not exist", "; ")
		}
	}
	return append(all, path, reach(o), controllers(o.Webots, s.env("WEBOTS_HOME")))
}

// controllers says whether controllers of Webots find their library when they are started from here.
func controllers(w *Webots, home string) Finding {
	f := Finding{Area: "files", What: "controllers", Said: "none are started (--run-controllers)"}
	if w != nil && w.Run {
		f.Said = "those of a world's project are started"
	}
	switch _, err := os.Stat(filepath.Join(home, "lib", "controller")); {
	case home == "":
		f.Said += "; WEBOTS_HOME is not set"
	case err != nil:
		f.Said += fmt.Sprintf("; WEBOTS_HOME %s: %v", home, err)
	default:
		f.Said += "; their library is in " + home
		return f
	}
	if w != nil && w.Run {
		f.Fix = "controllers need Webots' library: set WEBOTS_HOME to a folder of Webots that has lib/controller"
	}
	return f
}

// reach says which files clients may have read.
func reach(o Options) Finding {
	f := Finding{Area: "files", What: "spawn from",
		Said: o.SpawnFrom.String() + ": " + map[scene.Reach]string{
			scene.ReachSearch:   "clients may name any model or world below the search path and the folder of the world",
			scene.ReachListed:   "clients may name what get_spawnables and get_available_worlds list, and send no text",
			scene.ReachAnywhere: "clients may name every file that simdeck can read",
		}[o.SpawnFrom]}
	if o.SpawnFrom == scene.ReachAnywhere {
		f.Fix = "ROS 2 has no authentication: every node in this domain can load any model on this machine; prefer --path FOLDER"
	}
	return f
}

// writable tries to write into a folder, which is made.
func writable(what, dir string) Finding {
	f := Finding{Area: "files", What: what, Said: dir}
	folder, err := store.Open(dir)
	if err == nil {
		const probe = ".doctor"
		if err = store.Replace(folder, probe, []byte("simdeck\n")); err == nil {
			err = folder.Remove(probe)
		}
		err = errors.Join(err, folder.Close())
	}
	if err != nil {
		f.Said, f.Fix = err.Error(), "needed for recordings, logs and the mesh cache: make it writable, or set XDG_STATE_HOME and XDG_CACHE_HOME"
	}
	return f
}
