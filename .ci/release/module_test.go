package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoInstallsTheModuleUnderItsPath has go find the module by the pages alone, and those that it needs in
// the cache of this machine.
func TestGoInstallsTheModuleUnderItsPath(t *testing.T) {
	dir := released(t)
	o := testEdition("../..").Origin
	cache := strings.TrimSpace(output(t, "go", "env", "GOMODCACHE"))
	home := t.TempDir()
	t.Cleanup(func() { // the module cache is read-only
		output(t, "chmod", "-R", "u+w", home)
	})
	cmd := exec.Command("go", "install", "-trimpath", "-ldflags", "-s -w", o.Module+"@latest")
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "GOPATH="+home, "GOMODCACHE="+filepath.Join(home, "mod"), "GOBIN="+home,
		"GOFLAGS=", "GOSUMDB=off", "GONOPROXY=none", "GOPRIVATE=", "GOVCS=*:off",
		"CGO_ENABLED=0", "GOTOOLCHAIN=local",
		"GOPROXY=file://"+filepath.Join(dir, "pages", "go")+",file://"+filepath.Join(cache, "cache", "download"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program := filepath.Join(home, "simdeck")
	var v struct{ Version, Module string }
	said := output(t, program, "version", "--json")
	if err := json.Unmarshal([]byte(said), &v); err != nil || v.Version != testVersion ||
		v.Module != o.Module {
		t.Errorf("%v: %s", err, said)
	}
	installed(t, home, "/srv/simdeck"+demo)
	index, err := os.ReadFile(filepath.Join(dir, "pages", "index.html"))
	want := `<meta name="go-import" content="` + o.Module + " mod " + o.Pages + `/go">`
	if err != nil || !strings.Contains(string(index), want) {
		t.Errorf("go finds no module at %s: %v\n%s", o.Module, err, index)
	}
}
