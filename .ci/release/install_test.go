package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// demo runs the demo world for five simulated seconds.
const demo = " run --no-ros --rtf 0 --duration 5s"

// cleanRoot runs a shell script as root of a clean system. It has this one's programs, but no home, nothing
// in /usr/local and /opt, no dpkg packages, and no apt sources. The release stands in /srv, which nobody can
// write to. It gives what the script printed, and which files there are afterwards that were not before.
func cleanRoot(t *testing.T, release, script string) (said string, written []string, err error) {
	t.Helper()
	at, err := os.MkdirTemp("", "root") // the test's own has its name, and options of mounts end at commas
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Remove(at); err != nil {
			t.Error(err)
		}
	})
	const enter = `set -e
at=$1; release=$2; script=$3
mount -t tmpfs tmpfs "$at"
mkdir "$at/upper" "$at/work" "$at/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$at/upper,workdir=$at/work" "$at/root"
for dir in root home tmp srv usr/local opt etc/apt var/lib/dpkg var/lib/apt var/cache/apt var/log; do
  mkdir -p "$at/root/$dir" "$at/masks/$dir"
  mount --bind "$at/masks/$dir" "$at/root/$dir"
done
chmod 1777 "$at/masks/tmp"
mount --bind "$release" "$at/root/srv"; mount -o remount,ro,bind "$at/root/srv"
mount --bind /dev "$at/root/dev"; mount -t proc proc "$at/root/proc"
status=0
env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive chroot "$at/root" sh -euc "$script" || status=$?
echo "=== written"
cd "$at/upper"; find . ! -type d ! -type c -printf '/%P\n'
cd "$at/masks"; find . ! -type d -printf '/%P\n'
exit $status`
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child",
		"sh", "-c", enter, "sh", at, release, script)
	out, err := cmd.CombinedOutput()
	said, list, ok := strings.Cut(string(out), "=== written\n")
	if !ok {
		t.Fatalf("no clean root: %v\n%s", err, out)
	}
	return said, strings.Fields(list), err
}

// installed fails the test unless the script ends well and the demo played.
func installed(t *testing.T, release, script string) (said string, written []string) {
	t.Helper()
	said, written, err := cleanRoot(t, release, script)
	if err != nil || !strings.Contains(said, "set state playing") {
		t.Fatalf("%v\n%s", err, said)
	}
	return said, written
}

// served is the URL of a server of a folder, which nobody but this machine can reach.
func served(t *testing.T, dir string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.FileServer(http.Dir(dir)), ReadHeaderTimeout: time.Second}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), <-ended); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

func TestTheScriptInstallsWhatItHasVerified(t *testing.T) {
	dir := released(t)
	for name, how := range map[string]string{
		"over HTTP with curl": "curl -fsS " + served(t, dir) + "/install.sh | sh -s -- --url " + served(t, dir),
		"over HTTP with wget": "mv /usr/bin/curl /usr/bin/away; " +
			"wget -qO- " + served(t, dir) + "/install.sh | sh -s -- --url " + served(t, dir),
		"from files": "sh /srv/install.sh --url file:///srv",
	} {
		t.Run(name, func(t *testing.T) {
			said, written := installed(t, dir, how+"; cd /root/.local/bin; ./simdeck version; ./simdeck"+demo)
			for _, want := range []string{"verified: checksum (the release is not signed)", "not in PATH",
				"simdeck " + testVersion + ", "} {
				if !strings.Contains(said, want) {
					t.Errorf("it does not say %q:\n%s", want, said)
				}
			}
			for _, want := range []string{"bin/simdeck", "share/man/man1/simdeck-run.1",
				"share/bash-completion/completions/simdeck", "share/doc/simdeck/THIRD-PARTY-LICENSES"} {
				if !strings.Contains(strings.Join(written, "\n")+"\n", "/root/.local/"+want+"\n") {
					t.Errorf("%s is missing in %v", want, written)
				}
			}
			for _, name := range written {
				if !regexp.MustCompile(`^/root/\.local/(bin|share)/`).MatchString(name) &&
					!strings.HasPrefix(name, "/usr/bin/") && !ofSimdeck(name) {
					t.Errorf("%s was written, too", name)
				}
			}
		})
	}
}

// ofSimdeck says whether simdeck itself wrote a file, when it ran.
func ofSimdeck(name string) bool { return strings.HasPrefix(name, "/root/.cache/simdeck/") }

func TestTheScriptTakesAllAwayAgain(t *testing.T) {
	said, written, err := cleanRoot(t, released(t),
		"sh /srv/install.sh --url file:///srv --prefix /opt/simdeck; "+
			"PATH=/opt/simdeck/bin:$PATH; simdeck version; sh /srv/install.sh --prefix /opt/simdeck --uninstall")
	if err != nil || len(written) > 0 || !strings.Contains(said, "Removed simdeck from /opt/simdeck.") {
		t.Errorf("%v: left %v\n%s", err, written, said)
	}
}

// TestTheScriptRefusesWhatIsNotTheRelease spoils a release in one way after the other. Nothing may be left of
// it.
func TestTheScriptRefusesWhatIsNotTheRelease(t *testing.T) {
	const archive = "simdeck_" + testVersion + "_linux_amd64.tar.gz"
	flipped := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			text[len(text)/2] ^= 1
			replace(t, filepath.Join(dir, name), text)
		}
	}
	for name, c := range map[string]struct {
		spoil func(t *testing.T, dir string)
		args  string
		want  string
	}{
		"a flipped bit in the archive": {flipped(archive), "", ": SHA-256 is "},
		"an archive that is cut": {func(t *testing.T, dir string) {
			text, err := os.ReadFile(filepath.Join(dir, archive))
			if err != nil {
				t.Fatal(err)
			}
			replace(t, filepath.Join(dir, archive), text[:len(text)/2])
		}, "", ": SHA-256 is "},
		"no archive": {func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, archive)); err != nil {
				t.Fatal(err)
			}
		}, "", "download failed"},
		"no line for the archive": {func(t *testing.T, dir string) {
			replace(t, filepath.Join(dir, "SHA256SUMS"), []byte("0  other\n"))
		}, "", "has no line for"},
		"no such version": {func(*testing.T, string) {}, "--url file:///srv/{version} --version 9.9.9",
			"is 9.9.9 a release?"},
		"no signature, but signers": {func(t *testing.T, dir string) {
			replace(t, filepath.Join(dir, "RELEASE_NOTES.md"), []byte("release@simdeck ssh-ed25519 AAAA\n"))
		}, "--signers /srv/RELEASE_NOTES.md", "SHA256SUMS.sig: download failed"},
		"a prefix that cannot be written": {func(*testing.T, string) {}, "--prefix /proc/1",
			"cannot write there"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := linked(t)
			c.spoil(t, dir)
			said, written, err := cleanRoot(t, dir, "sh /srv/install.sh --url file:///srv "+c.args)
			if err == nil || !strings.Contains(said, c.want) || len(written) > 0 {
				t.Errorf("%v: left %v, want %q in\n%s", err, written, c.want, said)
			}
		})
	}
}

func TestTheScriptOfASignedReleaseTakesNoOtherSignature(t *testing.T) {
	dir, keys := linked(t), t.TempDir()
	var lines [2]string
	for i, name := range []string{"ours", "other"} {
		key := filepath.Join(keys, name)
		output(t, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "release", "-f", key)
		line, err := signersLine(key)
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = line
	}
	e := testEdition("../..")
	e.Signers = lines[0]
	script, err := e.expand("install.sh")
	if err != nil {
		t.Fatal(err)
	}
	replace(t, filepath.Join(dir, "install.sh"), script)
	const run = "sh /srv/install.sh --url file:///srv "
	refused := func(why, args, want string) {
		t.Helper()
		said, written, err := cleanRoot(t, dir, run+args)
		if err == nil || !strings.Contains(said, want) || len(written) > 0 {
			t.Errorf("%s: %v: left %v\n%s", why, err, written, said)
		}
	}
	refused("without a signature", "", "SHA256SUMS.sig: download failed")
	if err := e.sign(dir, filepath.Join(keys, "other")); err != nil {
		t.Fatal(err)
	}
	refused("signed by another key", "", "signature verification failed")
	if err := e.sign(dir, filepath.Join(keys, "ours")); err != nil {
		t.Fatal(err)
	}
	said, _ := installed(t, dir, run+"; /root/.local/bin/simdeck"+demo)
	if !strings.Contains(said, "verified: signature and checksum") {
		t.Error(said)
	}
	replace(t, filepath.Join(dir, "RELEASE_NOTES.md"), []byte(lines[1]+"\n"))
	refused("by the signers of the user", "--signers /srv/RELEASE_NOTES.md", "signature verification failed")
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	replace(t, filepath.Join(dir, "SHA256SUMS"), bytes.ToUpper(sums))
	refused("other sums", "", "signature verification failed")
}

func TestTheFormulaPoursAProgramThatRuns(t *testing.T) {
	dir := released(t)
	text, err := os.ReadFile(filepath.Join(dir, "simdeck.rb"))
	if err != nil {
		t.Fatal(err)
	}
	url, sum := formula(t, string(text), "linux", "intel")
	said, written := installed(t, dir, pour(t, string(text), filepath.Base(url), sum)+
		"/opt/keg/bin/simdeck version; /opt/keg/bin/simdeck"+demo)
	if !strings.Contains(said, "simdeck "+testVersion+", ") {
		t.Error(said)
	}
	for _, want := range []string{"share/man/man1/simdeck-serve.1", "etc/bash_completion.d/simdeck",
		"share/zsh/site-functions/_simdeck", "share/fish/vendor_completions.d/simdeck.fish"} {
		if !strings.Contains(strings.Join(written, "\n")+"\n", "/opt/keg/"+want+"\n") {
			t.Errorf("%s is missing in %v", want, written)
		}
	}
}

// pour does as Homebrew with a formula of this form, as a shell script: it verifies the archive and installs
// below /opt/keg. A line of install that it does not know fails the test.
func pour(t *testing.T, formula, archive, sum string) string {
	t.Helper()
	folders := map[string]string{"bin": "bin", "man1": "share/man/man1", "doc": "share/doc/simdeck",
		"bash_completion": "etc/bash_completion.d", "zsh_completion": "share/zsh/site-functions",
		"fish_completion": "share/fish/vendor_completions.d"}
	_, body, _ := strings.Cut(formula, "  def install\n")
	body, _, ok := strings.Cut(body, "  end\n")
	if !ok {
		t.Fatal("the formula installs nothing")
	}
	script := fmt.Sprintf("cd /tmp; echo '%s  /srv/%s' | sha256sum --check --quiet; tar xzf /srv/%[2]s; cd */\n",
		sum, archive)
	line := regexp.MustCompile(`^    (\w+)\.install (.+)$`)
	for _, l := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		m := line.FindStringSubmatch(l)
		if m == nil || folders[m[1]] == "" {
			t.Fatalf("%q: what does Homebrew do with it?", l)
		}
		to := "/opt/keg/" + folders[m[1]]
		script += "mkdir -p " + to + "\n"
		if from, as, ok := strings.Cut(m[2], " => "); ok {
			script += "cp " + from + " " + to + "/" + as + "\n"
			continue
		}
		from := regexp.MustCompile(`^Dir\["(.*)"\]$`).ReplaceAllString(m[2], "$1")
		script += "cp " + strings.ReplaceAll(from, ",", "") + " " + to + "\n"
	}
	return script
}

// TestTheScriptTakesTheArchiveOfTheSystem runs it where uname says something else, beside sums without
// archives: it names the one that it wants.
func TestTheScriptTakesTheArchiveOfTheSystem(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"install.sh", "SHA256SUMS"} {
		output(t, "cp", filepath.Join(released(t), name), dir)
	}
	for system, want := range map[string]string{
		"Linux x86_64":   "_linux_amd64.tar.gz: download failed",
		"Linux aarch64":  "_linux_arm64.tar.gz: download failed",
		"Linux armv7l":   "_linux_armv7.tar.gz: download failed",
		"Darwin arm64":   "_darwin_arm64.tar.gz: download failed",
		"Darwin x86_64":  "_darwin_amd64.tar.gz: download failed",
		"FreeBSD x86_64": "FreeBSD: unsupported system, want Linux or macOS",
		"Linux riscv64":  "riscv64: unsupported processor, want x86_64",
	} {
		words := strings.Fields(system)
		said, written, err := cleanRoot(t, dir, fmt.Sprintf(`
mkdir -p /usr/local/bin
printf '#!/bin/sh\ncase $1 in -s) echo %s ;; -m) echo %s ;; esac\n' >/usr/local/bin/uname
chmod +x /usr/local/bin/uname
sh /srv/install.sh --url file:///srv`, words[0], words[1]))
		if err == nil || !strings.Contains(said, want) || len(written) != 1 {
			t.Errorf("%s: %v: left %v, want %q in\n%s", system, err, written, want, said)
		}
	}
	for args, want := range map[string]string{"--prefix": "--prefix: want a value",
		"--fly": "--fly: no such option", "--uninstall": "/root/.local/bin/simdeck: no such file"} {
		if said, written, err := cleanRoot(t, dir, "sh /srv/install.sh "+args); err == nil ||
			!strings.Contains(said, want) || len(written) > 0 {
			t.Errorf("%s: %v: left %v\n%s", args, err, written, said)
		}
	}
}
