package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// aptGet readies a clean root for apt-get, with the repository of the release as its only source.
func aptGet(options string) string {
	return `mkdir -p /etc/apt/sources.list.d /etc/apt/apt.conf.d /etc/apt/preferences.d /etc/apt/trusted.gpg.d \
  /var/lib/dpkg/info /var/lib/dpkg/updates /var/lib/apt/lists/partial /var/cache/apt/archives/partial \
  /var/log/apt
touch /var/lib/dpkg/status /var/lib/dpkg/available
echo 'APT::Sandbox::User "root"; Dpkg::Use-Pty "0";' >/etc/apt/apt.conf.d/10trial
echo 'deb ` + options + ` file:/srv/pages/apt stable main' >/etc/apt/sources.list
`
}

const aptInstall = "apt-get -q update; apt-get -qy --no-install-recommends install simdeck; "

func TestAptInstallsFromTheRepositoryAndPurgesAgain(t *testing.T) {
	said, written := installed(t, released(t), aptGet("[trusted=yes]")+aptInstall+
		"simdeck version; simdeck"+demo+
		"; dpkg-query -W -f '${Package} ${Version} ${Status}\n' simdeck; apt-get -qy purge simdeck")
	for _, want := range []string{"simdeck " + testVersion + ", ", "simdeck 1.2.3~4 install ok installed"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	for _, name := range written {
		// the user stays, as Debian's policy has it
		if strings.Contains(name, "simdeck") && !ofSimdeck(name) && !strings.HasPrefix(name, "/var/") {
			t.Errorf("%s is left after purge", name)
		}
	}
}

func TestAptTakesASignedRepositoryOnlyAsItWasSigned(t *testing.T) {
	dir, home := linked(t), t.TempDir()
	if err := os.Chmod(home, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GNUPGHOME", home)
	t.Cleanup(func() {
		kill := exec.Command("gpgconf", "--homedir", home, "--kill", "all")
		if out, err := kill.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	output(t, "gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "release@simdeck",
		"ed25519", "sign", "0")
	e := testEdition("../..")
	if err := e.signApt(dir, "release@simdeck"); err != nil {
		t.Fatal(err)
	}
	const signed = "[signed-by=/srv/pages/apt/simdeck.gpg]"
	installed(t, dir, aptGet(signed)+aptInstall+"simdeck"+demo)

	packages := filepath.Join(dir, "pages/apt/dists/stable/main/binary-amd64/Packages")
	text, err := os.ReadFile(packages)
	if err != nil {
		t.Fatal(err)
	}
	replace(t, filepath.Join(dir, "pages/apt/dists/stable/Release"), []byte("Suite: stable\n"))
	inRelease := filepath.Join(dir, "pages/apt/dists/stable/InRelease")
	clear, err := os.ReadFile(inRelease)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(why, want string) {
		t.Helper()
		said, written, err := cleanRoot(t, dir, aptGet(signed)+
			strings.ReplaceAll(aptInstall, "update", "-o APT::Update::Error-Mode=any update"))
		if err == nil || !strings.Contains(said, want) ||
			strings.Contains(strings.Join(written, "\n"), "/usr/bin/simdeck") {
			t.Errorf("%s: %v\n%s", why, err, said)
		}
	}
	replace(t, inRelease, []byte(strings.Replace(string(clear), "Label: simdeck", "Label: simdock", 1)))
	refused("another Release under the same signature", "BADSIG")
	replace(t, inRelease, clear)
	for _, name := range files(t, filepath.Dir(packages)) {
		if !strings.HasSuffix(name, ".gz") {
			replace(t, filepath.Join(filepath.Dir(packages), name),
				[]byte(strings.Replace(string(text), "simdeck", "simdock", 1)))
			continue
		}
		if err := os.Remove(filepath.Join(filepath.Dir(packages), name)); err != nil {
			t.Fatal(err)
		}
	}
	refused("another list of packages", "Hash Sum mismatch")
	if err := e.signApt(dir, ""); err != nil {
		t.Fatal(err)
	}
	for _, name := range files(t, dir) {
		if signature.MatchString(name) {
			t.Errorf("%s is left in a release without a key", name)
		}
	}
}
