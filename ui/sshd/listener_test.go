package sshd

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

func TestTwoHundredConnectionsThatSayNothingKeepNobodyOut(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	h := newHouse(t, nil)
	s := h.open("alice")
	s.shows("operator")
	for range 200 {
		c, err := net.Dial("tcp", h.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	h.listener.mu.Lock()
	if n := h.listener.admission.Pending(); n > h.c.Limits.Full {
		t.Errorf("%d connections are pending", n)
	}
	h.listener.mu.Unlock()
	seen := len(s.out.text())
	s.press("?")
	until(t, "help", func() bool { return strings.Contains(s.out.text()[seen:], "Help") })
}

func TestAHostKeyIsMadeOnceAndKeptForItself(t *testing.T) {
	home := t.TempDir()
	c := Config{HostKey: filepath.Join(home, "deep", "er", "key"), home: home}
	name := c.HostKey
	first, err := hostKey(c)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its permissions are %v, %v", info.Mode(), err)
	}
	second, err := hostKey(c)
	if err != nil || ssh.FingerprintSHA256(first.PublicKey()) != ssh.FingerprintSHA256(second.PublicKey()) {
		t.Errorf("the second time it is another one: %v", err)
	}
	if err := os.Chmod(name, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := hostKey(c); err == nil || !strings.Contains(err.Error(), "0644") {
		t.Errorf("when others can read it: %v", err)
	}
	bad := filepath.Join(t.TempDir(), "bad")
	if err := os.WriteFile(bad, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := hostKey(Config{HostKey: bad, home: filepath.Dir(bad)}); err == nil ||
		!strings.Contains(err.Error(), bad) {
		t.Errorf("of nonsense: %v", err)
	}
}

func TestTheFileOfKeysIsReadAsOpenSSHWritesIt(t *testing.T) {
	a, b, c, d := newKey(t), newKey(t), newKey(t), newKey(t)
	text := "# a comment\n\n" + keyLine("", a, "alice@desk") + keyLine(`role="viewer",no-port-forwarding`, b,
		"") +
		keyLine(`command="/bin/true"`, c, "robot") + keyLine(`role="king"`, d, "dave") + "nonsense\n" +
		keyLine(`role="viewer"`, a, "alice again") +
		keyLine(`from="10.0.0.0/8"`, d, "dave") + "  " + keyLine("no-pty", d, "dave")
	skipped := map[int]string{}
	guests := parseKeys([]byte(text), func(line int, why error) { skipped[line] = why.Error() })
	if g := guests[string(a.PublicKey().Marshal())]; g != (guest{"alice@desk", operator}) {
		t.Errorf("alice is %+v", g)
	}
	if g := guests[string(b.PublicKey().Marshal())]; g != (guest{"nameless", viewer}) {
		t.Errorf("bob is %+v", g)
	}
	if len(guests) != 2 {
		t.Errorf("%d may enter", len(guests))
	}
	for line, want := range map[int]string{5: "command=", 6: `role "king"`, 7: "no key found", 8: "operator",
		9: "from=", 10: "no-pty"} {
		if !strings.Contains(skipped[line], want) {
			t.Errorf("line %d is left out for %q, want %q", line, skipped[line], want)
		}
	}
}

func TestAServerWithoutKeysDoesNotStart(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, []byte("# nobody\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ keys, want string }{{filepath.Join(dir, "none"), "no such file"},
		{empty, "no usable public key"}} {
		if _, err := New(Config{Address: "127.0.0.1:0", HostKey: filepath.Join(dir, "host"), Keys: c.keys,
			home: dir}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.keys, err)
		}
	}
}

func FuzzKeys(f *testing.F) {
	f.Add([]byte("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzcU4PGSAcFsUIpvRZYJpvDp8pFyvSPRVlqjyJUxAt5 a b c"))
	f.Add([]byte(`role="viewer",command="x" ssh-ed25519 AAAA`))
	f.Add([]byte("\"\\\",\n\r#\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for key, g := range parseKeys(text, func(line int, why error) {
			if line < 1 || why == nil {
				t.Errorf("line %d is left out for %v", line, why)
			}
		}) {
			if key == "" || g.name == "" || g.role != operator && g.role != viewer ||
				strings.ContainsAny(g.name, "\n\x1b") {
				t.Errorf("%q: %+v", key, g)
			}
		}
	})
}
