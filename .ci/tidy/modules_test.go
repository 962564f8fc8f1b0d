package tidy

import (
	"os/exec"
	"testing"
)

// TestTheSiteModuleHasWhatItImports: what the console's canvas begins to import must stand in its go.mod and
// go.sum, too.
func TestTheSiteModuleHasWhatItImports(t *testing.T) {
	cmd := exec.Command("go", "list", "-mod=readonly", "-deps", "-test", ".")
	cmd.Dir = ".ci/site"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: cd .ci/site && go mod tidy\n%s", err, out)
	}
}

// TestTheReleaseModuleHasWhatTheCommandsImport: it describes the commands, so what these begin to import must
// stand in its go.mod and go.sum, too.
func TestTheReleaseModuleHasWhatTheCommandsImport(t *testing.T) {
	cmd := exec.Command("go", "list", "-mod=readonly", "-deps", ".")
	cmd.Dir = ".ci/release"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: cd .ci/release && go mod tidy\n%s", err, out)
	}
}
