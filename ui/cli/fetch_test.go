package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim/scene"
	"simdeck/ui/fetch"
)

// fetches runs a command whose worlds want one file of a private network, which nobody is asked for.
func fetches(t *testing.T, args ...string) (said spoken, asked []Options) {
	t.Helper()
	p := Program{Version: "test", DefaultWorld: "x",
		Wants: func(_ context.Context, o Options) ([]fetch.Item, error) {
			asked = append(asked, o)
			return []fetch.Item{{URL: "https://127.0.0.1:1/a.stl", Path: "127.0.0.1/a.stl"}}, nil
		},
		Run: func(context.Context, Options) error { return nil }}
	keys, err := os.ReadFile("../../keymap.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p.Keymap = keys
	var out, errs bytes.Buffer
	root := newRoot(&session{Program: p, environ: []string{"XDG_CONFIG_HOME=" + t.TempDir()}})
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	err = root.ExecuteContext(t.Context())
	return spoken{out.String(), errs.String(), err}, asked
}

// spoken is the output of a command, and its error.
type spoken struct {
	out, errs string
	err       error
}

func TestFetchTellsWhatCannotBeHad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mirror")
	got, asked := fetches(t, "fetch", "depot.sdf", "--to", dir)
	if ExitCode(got.err) != 3 || !errors.Is(got.err, scene.ErrMissingAssets) ||
		!strings.Contains(got.out, "https://127.0.0.1:1/a.stl: refused") {
		t.Errorf("%v, %q", got.err, got.out)
	}
	if len(asked) != 2 || !asked[0].Mirror || asked[0].Assets != dir || asked[0].World != "depot.sdf" {
		t.Errorf("it looks with %+v", asked)
	}
	got, _ = fetches(t, "fetch", "depot.sdf", "--to", dir, "--json")
	var said fetched
	if err := json.Unmarshal([]byte(got.out), &said); err != nil || len(said.Failed) != 1 ||
		said.Folder != dir ||
		!strings.HasPrefix(said.Failed[0].Reason, "refused") {
		t.Errorf("%v, %q", err, got.out)
	}
}

func TestFetchGoesToTheFolderOfAssetsBesideTheCaches(t *testing.T) {
	dir := t.TempDir()
	if _, asked := fetches(t, "fetch", "depot.sdf", "--assets", dir); asked[0].Mirror ||
		asked[0].Assets != dir {
		t.Errorf("with --assets it looks with %+v", asked[0].Copies)
	}
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	got, asked := fetches(t, "fetch", "depot.sdf")
	if asked[0].Mirror || asked[0].Assets != "" || !strings.Contains(got.out, filepath.Join(home, "simdeck",
		"assets")) {
		t.Errorf("without a folder it looks with %+v and says %q", asked[0].Copies, got.out)
	}
}

func TestADryRunAsksNobodyAndMakesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mirror")
	got, _ := fetches(t, "fetch", "depot.sdf", "--to", dir, "--dry-run")
	if got.err != nil || !strings.Contains(got.out, "https://127.0.0.1:1/a.stl: ") {
		t.Errorf("%v, %q", got.err, got.out)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it has made the folder")
	}
}

func TestAWorldIsFetchedFirstWhereTheUserSaysSo(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	got, asked := fetches(t, "run", "depot.sdf", "--fetch")
	if got.err != nil || len(asked) == 0 || !strings.Contains(got.errs, "--fetch: https://127.0.0.1:1/a.stl: refused") {
		t.Errorf("%v, %d times asked, %q", got.err, len(asked), got.errs)
	}
	if got, asked = fetches(t, "run", "depot.sdf"); got.err != nil || len(asked) != 0 {
		t.Errorf("without --fetch: %v, %d times asked", got.err, len(asked))
	}
}

func TestBoundsOfFetchAreReadOrRefused(t *testing.T) {
	for text, want := range map[string]int64{"1500": 1500, "20 kB": 20_000, "1.5GB": 1_500_000_000,
		"8.6 GB": 8_600_000_000,
		"2t":     2_000_000_000_000, "0": 0, "-1": 0, "x": 0, "": 0, "GB": 0, "NaN": 0, "inf": 0, "1e99": 0,
		"1 EB": 0} {
		got, err := parseSize(text)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
	for _, args := range [][]string{{"--max-size", "x"}, {"--max-time", "0s"}, {"--verify"}} {
		got, asked := fetches(t, append([]string{"fetch", "depot.sdf", "--to", t.TempDir()}, args...)...)
		if ExitCode(got.err) != 2 || len(asked) != 0 {
			t.Errorf("%q: %v", args, got.err)
		}
	}
	if got, _ := fetches(t, "fetch"); ExitCode(got.err) != 2 {
		t.Errorf("without a world: %v", got.err)
	}
}

func TestVerifyComparesTheCopiesWithTheirSums(t *testing.T) {
	dir := t.TempDir()
	const sum = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" // of "x"
	for name, text := range map[string]string{"x": "x", "y": "y", fetch.Sums: sum + "  x\n" + sum +
		"  y\n" + sum + "  z\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := fetches(t, "fetch", "--verify", "--to", dir)
	if ExitCode(got.err) != 3 || !strings.Contains(got.out, "y: not what SHA256SUMS has") ||
		!strings.Contains(got.out, "3 files in "+dir+", 2 of them not as SHA256SUMS has them") {
		t.Errorf("%v, %q", got.err, got.out)
	}
	if err := os.WriteFile(filepath.Join(dir, fetch.Sums), []byte(sum+"  x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ = fetches(t, "fetch", "--verify", "--to", dir); got.err != nil {
		t.Error(got.err)
	}
}
