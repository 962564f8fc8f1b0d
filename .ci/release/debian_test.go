package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// output returns a command's output; the test fails with it.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// unpacked is the package of an architecture, unpacked.
func unpacked(t *testing.T, arch string) string {
	t.Helper()
	deb := filepath.Join(released(t), "simdeck_1.2.3~4_"+arch+".deb")
	info := output(t, "dpkg-deb", "--info", deb)
	for _, want := range []string{"Package: simdeck", "Version: 1.2.3~4", "Architecture: " + arch,
		"conffiles", "postinst"} {
		if !strings.Contains(info, want) {
			t.Errorf("%s says nothing of %q:\n%s", deb, want, info)
		}
	}
	dir := t.TempDir()
	output(t, "dpkg-deb", "--extract", deb, dir)
	return dir
}

func TestThePackageRunsOnEveryArchitecture(t *testing.T) {
	for arch, emulator := range map[string]string{"amd64": "qemu-x86_64-static",
		"arm64": "qemu-aarch64-static", "armhf": "qemu-arm-static"} {
		program := []string{filepath.Join(unpacked(t, arch), "usr/bin/simdeck")}
		if native := strings.TrimSpace(output(t, "dpkg", "--print-architecture")); native != arch {
			program = append([]string{emulator}, program...)
		}
		run := func(args ...string) string { return output(t, program[0], append(program[1:], args...)...) }
		if said := run("version"); !strings.HasPrefix(said, "simdeck "+testVersion+", ") {
			t.Errorf("%s: %s", arch, said)
		}
		if said := run("run", "--no-ros", "--rtf", "0", "--duration", "2s"); !strings.Contains(said,
			"set state playing") {
			t.Errorf("%s: %s", arch, said)
		}
	}
}

func TestThePackagesManualPagesAndScriptsAreWellFormed(t *testing.T) {
	dir := unpacked(t, "amd64")
	pages, _ := filepath.Glob(filepath.Join(dir, "usr/share/man/man1/*.1.gz"))
	if len(pages) < 20 {
		t.Errorf("%d pages", len(pages))
	}
	for _, p := range pages {
		text := output(t, "zcat", p)
		cmd := exec.Command("groff", "-K", "utf8", "-man", "-Tutf8", "-ww", "-z")
		cmd.Stdin = strings.NewReader(text)
		if said, err := cmd.CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("%s: %v\n%s", p, err, said)
		}
	}
	output(t, "bash", "-n", filepath.Join(dir, "usr/share/bash-completion/completions/simdeck"))
	control := t.TempDir()
	output(t, "dpkg-deb", "--control", filepath.Join(released(t), "simdeck_1.2.3~4_amd64.deb"), control)
	for _, script := range []string{"postinst", "prerm", "postrm"} {
		output(t, "sh", "-n", filepath.Join(control, script))
	}
	output(t, "sh", "-c", "cd '"+dir+"' && md5sum --check --quiet --strict '"+filepath.Join(control,
		"md5sums")+"'")
}

// TestTheServiceIsKnownToSystemdAndShutIn has systemd read the unit, with the program where it was unpacked.
func TestTheServiceIsKnownToSystemdAndShutIn(t *testing.T) {
	dir := unpacked(t, "amd64")
	text, err := os.ReadFile(filepath.Join(dir, "usr/lib/systemd/system/simdeck.service"))
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(t.TempDir(), "simdeck.service")
	if err := os.WriteFile(unit, []byte(strings.ReplaceAll(string(text), "/usr/bin/simdeck",
		filepath.Join(dir, "usr/bin/simdeck"))), 0o644); err != nil {
		t.Fatal(err)
	}
	if said := output(t, "systemd-analyze", "verify", "--man=no", unit); said != "" {
		t.Error(said)
	}
	for _, want := range []string{"MemoryMax=50%", "TasksMax=512"} {
		if !strings.Contains(string(text), "\n"+want+"\n") {
			t.Errorf("the unit has no %s: what a world or a client asks for would be taken from the machine",
				want)
		}
	}
	// of 100: a plain service has 96
	output(t, "systemd-analyze", "security", "--offline=true", "--threshold=20", unit)
	settings := output(t, filepath.Join(dir, "usr/bin/simdeck"), "config", "--config",
		filepath.Join(dir, "etc/simdeck/simdeck.yaml"))
	if !strings.Contains(settings, "/etc/simdeck/authorized_keys") ||
		!strings.Contains(settings, "/var/lib/simdeck/ssh_host_ed25519_key") {
		t.Errorf("the service's settings are read as\n%s", settings)
	}
}
