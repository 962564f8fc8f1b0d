package sshd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"golang.org/x/crypto/ssh"
)

// The file of keys is one of authorized_keys (sshd(8)): a public key a line, and before it, perhaps, options.
// The option role="viewer" lets its owner look and change nothing; without it the owner is an operator.
// Options that only forbid features which simdeck never offers are ignored. A key with any other option would
// lose a restriction, so it is left out with a line in the log.

// role is the set of rights of a user.
type role string

const (
	operator role = "operator"
	viewer   role = "viewer"
)

// guest is a user who may log in.
type guest struct {
	name string // the comment of the key, see named
	role role
}

const (
	maxKeyFile  = 1 << 20 // bytes of the file of keys
	mostSkipped = 10      // lines of it that are left out, of which the log tells one by one
	maxName     = 40      // characters of a name
)

// keyFile is the file of keys. It is read again when it has changed, so that who
// is added or taken out needs no restart. While it cannot be read, or others could
// change it, nobody new logs in.
type keyFile struct {
	name string
	rule fileRule
	log  *slog.Logger

	mu     sync.Mutex
	text   []byte           // as it was last read
	guests map[string]guest // by the marshalled key; nil: it was never read
	fails  string           // why it cannot be read, as the log was told
}

func newKeyFile(c Config) *keyFile {
	return &keyFile{name: c.Keys, rule: fileRule{lax: c.LaxModes, most: maxKeyFile, taken: 0o022,
		home: c.home}, log: c.Log}
}

// errNoKeys is the error of a file without keys.
var errNoKeys = errors.New("no usable public key; put one public key per line")

// find says who owns a key.
func (f *keyFile) find(key ssh.PublicKey) (guest, bool, error) {
	guests, err := f.read()
	if err != nil {
		return guest{}, false, err
	}
	g, ok := guests[string(key.Marshal())]
	return g, ok, nil
}

// read gives the keys as the file has them now, and tells the log once when that
// begins to fail or fails no more.
func (f *keyFile) read() (map[string]guest, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	began := f.guests != nil
	guests, err := f.load()
	switch {
	case err != nil:
		if began && err.Error() != f.fails { // at the start New returns it
			f.log.Error("SSH: logins disabled, sessions continue", "error", err)
		}
		f.fails = err.Error()
		return nil, err
	case began && f.fails != "":
		f.log.Info("SSH: logins enabled again", "keys", f.name)
	}
	f.fails = ""
	return guests, nil
}

func (f *keyFile) load() (map[string]guest, error) {
	text, err := f.rule.read(f.name)
	switch {
	case errors.Is(err, ErrModes):
		return nil, fmt.Errorf("SSH keys %s: %w (or --strict-modes=false)", f.name, err)
	case err != nil:
		return nil, fmt.Errorf("SSH keys %s: %w; put a public key of each operator there (--keys names another file)",
			f.name, err)
	case f.guests != nil && bytes.Equal(text, f.text):
		return f.guests, nil
	}
	skipped := 0
	guests := parseKeys(text, func(line int, why error) {
		if skipped++; skipped <= mostSkipped {
			f.log.Warn("SSH: key ignored", "where", fmt.Sprintf("%s:%d", f.name, line), "reason",
				said(why.Error()))
		}
	})
	if skipped > mostSkipped {
		f.log.Warn("SSH: more keys ignored", "file", f.name, "keys", skipped-mostSkipped)
	}
	f.guests, f.text = guests, text
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
			skipped(n, fmt.Errorf("duplicate key; the first entry is of a %s", known.role))
			continue
		}
		guests[string(key.Marshal())] = g
	}
	return guests
}

// errOption is the reason for which a key is left out.
var errOption = errors.New("option not supported")

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

// named is the comment of a key as the console and the log show it.
func named(comment string) string {
	if clean := strings.TrimSpace(said(comment)); clean != "" {
		return cut(clean, maxName)
	}
	return "nameless"
}
