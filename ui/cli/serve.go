package cli

import (
	"fmt"
	"net/netip"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
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
