package sshd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/ui/readfile"
)

// The file of keys is one of authorized_keys (sshd(8)): a public key a line, and
// before it, perhaps, options. The option role="viewer" lets its owner look and
// change nothing; without it the owner is an operator. Options that only take
// away what simdeck never gives are read over; a key with any other, which would
// be a restriction that is not kept here, is left out and the log says so.

// role is what somebody may do.
type role string

const (
	operator role = "operator"
	viewer   role = "viewer"
)

// guest is somebody who may enter.
type guest struct {
	name string // the comment of the key
	role role
}

// maxKeyFile is how long the file of keys may be.
const maxKeyFile = 1 << 20

// keyFile is the file of keys. It is read again when it has changed, so that who
// is added or taken out needs no restart; while it cannot be read, nobody enters.
type keyFile struct {
	name string
	log  *slog.Logger

	mu      sync.Mutex
	changed time.Time
	size    int64
	guests  map[string]guest // by the marshalled key
}

// find says who owns a key.
func (f *keyFile) find(key ssh.PublicKey) (guest, bool, error) {
	guests, err := f.read()
	if err != nil {
		return guest{}, false, err
	}
	g, ok := guests[string(key.Marshal())]
	return g, ok, nil
}

// read gives the keys as the file has them now.
func (f *keyFile) read() (map[string]guest, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	file, err := readfile.Open(f.name)
	if err != nil {
		return nil, fmt.Errorf("SSH keys: %w; put a public key of each operator there (--keys names another file)", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("SSH keys: %w", err)
	}
	if f.guests != nil && info.ModTime().Equal(f.changed) && info.Size() == f.size {
		return f.guests, nil
	}
	text, err := readfile.Rest(file, maxKeyFile)
	if err != nil {
		return nil, fmt.Errorf("SSH keys: %w", err)
	}
	guests := parseKeys(text, func(line int, why error) {
		f.log.Warn("SSH: a key is left out", "where", fmt.Sprintf("%s:%d", f.name, line), "reason", why)
	})
	if len(guests) == 0 {
		return nil, fmt.Errorf("SSH keys %s: there is no key that may enter; put a public key of each operator there, a line each", f.name)
	}
	f.guests, f.changed, f.size = guests, info.ModTime(), info.Size()
	return guests, nil
}

// parseKeys reads the lines of a file of keys; skipped hears of those that are
// left out.
func parseKeys(text []byte, skipped func(line int, why error)) map[string]guest {
	guests := map[string]guest{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxKeyFile)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, comment, options, _, err := ssh.ParseAuthorizedKey(line)
		if err != nil {
			skipped(n, err)
			continue
		}
		g := guest{name: named(comment), role: operator}
		if err := g.restrict(options); err != nil {
			skipped(n, err)
			continue
		}
		if known, twice := guests[string(key.Marshal())]; twice && known.role != g.role {
			skipped(n, fmt.Errorf("the same key stands above as that of a %s", known.role))
			continue
		}
		guests[string(key.Marshal())] = g
	}
	return guests
}

// errOption is why a key is left out.
var errOption = errors.New("an option that simdeck does not keep")

// restrict reads the options of a key.
func (g *guest) restrict(options []string) error {
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		switch strings.ToLower(name) {
		case "no-port-forwarding", "no-agent-forwarding", "no-x11-forwarding", "no-user-rc", "pty":
		case "role":
			switch r := role(strings.Trim(value, `"`)); r {
			case operator, viewer:
				g.role = r
			default:
				return fmt.Errorf("role %q: want operator or viewer", r)
			}
		default:
			return fmt.Errorf("%w: %s", errOption, o)
		}
	}
	return nil
}

// named is the comment of a key as the log writes it: its letters, or a word for
// none.
func named(comment string) string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, comment)
	if clean = strings.TrimSpace(clean); clean == "" {
		return "nameless"
	}
	if runes := []rune(clean); len(runes) > 40 {
		clean = string(runes[:40])
	}
	return clean
}
