package cli

import (
	"fmt"
	"net/netip"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	logins "simdeck/ui/admission"
)

// SSH is the options of the SSH server for remote operators.
type SSH struct {
	Listen   string        // address
	Keys     string        // file of those who may enter
	HostKey  string        // file
	Sessions int           // consoles at once
	Idle     time.Duration // without a key pressed; 0: for ever
	LaxModes bool          // files of keys are taken whoever else may write them

	Start, Rate, Full int            // of max-startups
	Grace             time.Duration  // for a login
	MaxPenalty        time.Duration  // after failed ones; negative: none
	Exempt            []netip.Prefix // from penalties
}

// Limits are those of connections that have not logged in.
func (s *SSH) Limits() logins.Limits {
	return logins.Limits{Start: s.Start, Rate: s.Rate, Full: s.Full, Grace: s.Grace,
		MaxPenalty: s.MaxPenalty, Exempt: s.Exempt}
}

// serveCommand runs a world for operators who come by SSH.
func (s *session) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "serve [WORLD …]", Short: "Run a world, or several, and let operators in by SSH, each with a console",
		Args: cobra.ArbitraryArgs,
		Long: "serve runs a world without a console here; operators open theirs with ssh -p 23234 HOST, many at once\n" +
			"on the same simulation. Whose public key is in the file of keys may enter: one line each, as in OpenSSH's\n" +
			"authorized_keys. A line that begins with role=\"viewer\" lets its owner look and change nothing.",
		RunE: func(cmd *cobra.Command, args []string) error {
			o, v, err := s.world(cmd, args)
			if err != nil {
				return err
			}
			sshOptions, err := s.sshOptions(v)
			if err != nil {
				return fmt.Errorf("%w: %w", ErrUsage, err)
			}
			return s.Serve(cmd.Context(), o, sshOptions)
		},
	}
	declare(cmd.Flags(), simulate|view|past|ssh|several)
	return cmd
}

// sshOptions reads the settings of SSH.
func (s *session) sshOptions(v *values) (SSH, error) {
	o := SSH{Listen: v.text("listen"), Keys: v.text("keys"), HostKey: v.text("host-key")}
	if o.Keys == "" {
		o.Keys = filepath.Join(s.env("HOME"), ".ssh", "authorized_keys")
	}
	if o.HostKey == "" {
		o.HostKey = filepath.Join(s.stateDir(), "ssh_host_ed25519_key")
	}
	o.Sessions, _ = v.flags.GetInt("sessions")
	o.Idle, _ = v.flags.GetDuration("idle")
	switch {
	case o.Sessions < 1 || o.Sessions > 1000:
		return o, fmt.Errorf("sessions %d from %s: want 1 to 1000", o.Sessions, v.source["sessions"])
	case o.Idle < 0:
		return o, fmt.Errorf("idle %v from %s: want 0 for ever, or more", o.Idle, v.source["idle"])
	}
	o.LaxModes = !v.yes("strict-modes")
	return o, v.limits(&o)
}

// limits reads what connections may cost that have not logged in.
func (v *values) limits(o *SSH) error {
	startups := v.text("max-startups")
	if n, err := fmt.Sscanf(startups+"\n", "%d:%d:%d\n", &o.Start, &o.Rate, &o.Full); n != 3 || err != nil ||
		o.Full == 0 {
		return fmt.Errorf("max-startups %q from %s: want START:RATE:FULL, like 20:30:100", startups,
			v.source["max-startups"])
	}
	o.Grace, _ = v.flags.GetDuration("login-grace")
	o.MaxPenalty, _ = v.flags.GetDuration("max-penalty")
	switch {
	case o.MaxPenalty < 0:
		return fmt.Errorf("max-penalty %v from %s: want 0 for none, or more", o.MaxPenalty,
			v.source["max-penalty"])
	case o.MaxPenalty == 0:
		o.MaxPenalty = -1
	}
	for _, text := range v.list("penalty-exempt") {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return fmt.Errorf("penalty-exempt %q from %s: want a network, like 10.1.0.0/16 or 2001:db8::/32",
				text, v.source["penalty-exempt"])
		}
		o.Exempt = append(o.Exempt, p)
	}
	return nil
}

// viewersCommand shows the simulation workers of the graph to browsers.
func (s *session) viewersCommand() *cobra.Command {
	var listen, folder string
	cmd := &cobra.Command{
		Use: "viewers", Short: "Show every simulation worker on the ROS 2 graph to browsers, in 3D", Args: cobra.NoArgs,
		Long: "viewers finds every simulation of l2_msgs on the graph (simdeck run --worker, or another) and shows their\n" +
			"worlds on a page, side by side: open http://127.0.0.1:23280. Worlds that come by name are asked of the\n" +
			"storage node, /l2/storage/get_object3d; --store DIR serves that too, for those who have no other.\n" +
			"Models and meshes that worlds name are found in the search folders. Browsers look and change nothing.\n" +
			"simdeck run --viewers 23280 shows a world of this process, without ROS 2.",
		Example: "  simdeck viewers\n  simdeck viewers --domain 7 --store ~/worlds\n  simdeck viewers --listen 0.0.0.0:23280 --viewers-names robots.example.org",
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, _, err := s.options(cmd.Flags(), "")
			if err != nil {
				return err
			}
			if o.Viewers.Address = listen; listen == "" {
				return fmt.Errorf("%w: --listen is empty: want a port, or an address and a port", ErrUsage)
			}
			if folder != "" {
				if o.Viewers.Store, err = filepath.Abs(folder); err != nil {
					return fmt.Errorf("--store %s: %w", folder, err)
				}
			}
			return s.Viewers(cmd.Context(), o)
		},
	}
	declare(cmd.Flags(), graph|lookup|logged|browsers)
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:23280",
		"where browsers find the page: a port for this machine only, or an address and a port")
	cmd.Flags().StringVar(&folder, "store", "", "folder of worlds to serve as the storage of l2_msgs (default none)")
	return cmd
}
