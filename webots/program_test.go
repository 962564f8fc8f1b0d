package webots

import (
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// files writes files below a folder; those without an ending can be executed.
func files(t *testing.T, dir string, all map[string]string) {
	t.Helper()
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		mode := fs.FileMode(0o644)
		if filepath.Ext(name) == "" {
			mode = 0o755
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
}

// TestProgramsAreFoundInTheOrderInWhichWebotsLooks gives each controller what it needs, and the arguments of
// its robot behind.
func TestProgramsAreFoundInTheOrderInWhichWebotsLooks(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{
		"bin/python3": "", "bin/python9": "", "bin/java": "",
		"controllers/all/all": "", "controllers/all/all.py": "", "controllers/all/all.class": "",
		"controllers/built/build/release/built": "", "controllers/built/built.py": "",
		"controllers/script/script.py": "import controller\n", "controllers/script/script.c": "",
		"controllers/old/old.py":        "#!/usr/bin/env python9\n",
		"controllers/set/set.py":        "",
		"controllers/set/runtime.ini":   "[python]\nCOMMAND = python9 ; of ours\nOPTIONS = -m cProfile\n",
		"controllers/class/class.class": "", "controllers/class/class.jar": "",
		"controllers/jar/jar.jar": "", "controllers/jar/jar.py": "",
		"controllers/jar/runtime.ini": "[java]\nOPTIONS = -Xmx1g\n",
	})
	t.Setenv("PATH", filepath.Join(dir, "bin"))
	in := func(name string) string { return filepath.Join(dir, "controllers", filepath.FromSlash(name)) }
	bin := func(name string) string { return filepath.Join(dir, "bin", name) }
	for name, want := range map[string][]string{
		"all":    {in("all/all")},
		"built":  {in("built/build/release/built")},
		"script": {bin("python3"), "-u", "script.py"},
		"old":    {bin("python9"), "-u", "old.py"},
		"set":    {bin("python9"), "-u", "-m", "cProfile", "set.py"},
		"class": {bin("java"), "-classpath", "/w/lib/controller/java/Controller.jar:" + in("class"),
			"-Djava.library.path=/w/lib/controller/java", "class"},
		"jar": {bin("java"), "-classpath", "/w/lib/controller/java/Controller.jar:" + in("jar/jar.jar"),
			"-Djava.library.path=/w/lib/controller/java", "-Xmx1g", "jar"},
	} {
		p, err := findProgram(os.Open, dir, name, []string{"--speed", "2 m/s"}, environment{"WEBOTS_HOME=/w"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want = append(want, "--speed", "2 m/s")
		if got := append([]string{p.path}, p.args...); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if p.dir != in(name) {
			t.Errorf("%s runs in %s, want %s", name, p.dir, in(name))
		}
	}
}

// TestControllersThatCannotBeStartedAreToldWithWhatWasLookedFor: nothing outside of the folder controllers is
// ever found, whatever the name.
func TestControllersThatCannotBeStartedAreToldWithWhatWasLookedFor(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{
		"outside/outside": "", "controllers/a/b/b": "", "controllers/c/c.c": "",
		"controllers/m/m.m": "", "controllers/ini/ini": "", "controllers/ini/runtime.ini": "[python\n",
		"controllers/no/no.py": "#!/usr/bin/env no-such-python\n", "controllers/plain/plain.txt": "",
		"controllers/controllers": "",
	})
	if err := os.Remove(filepath.Join(dir, "controllers", "plain", "plain.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "controllers", "plain", "plain"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"../outside": "like a path", "..": "like a path", ".": "like a path", "a/b": "like a path",
		"/bin/sh": "like a path", "a/../../outside": "like a path", `..\outside`: "like a path",
		`a\b`: "like a path", "": "like a path", "c:": "like a path", "a\x00": "like a path",
		"missing": "there is none of missing, build/release/missing, missing.class, missing.jar, missing.py in " +
			filepath.Join(dir, "controllers", "missing"),
		"c": "compile c.c first", "m": "run m.m yourself", "ini": "runtime.ini: runtime.ini cannot be read: line 1",
		"no": "needs no-such-python", "plain": "chmod +x",
	} {
		if runtime.GOOS == "windows" && name == "plain" {
			continue // every file may be executed there
		}
		p, err := findProgram(os.Open, dir, name, nil, nil)
		if !errors.Is(err, errProgram) || !strings.Contains(err.Error(), want) || p != nil {
			t.Errorf("%q: %v, want an error with %q", name, err, want)
		}
	}
}

// TestTheEnvironmentOfAControllerHasItsLibrariesAndNothingOfAnotherSimulator.
func TestTheEnvironmentOfAControllerHasItsLibrariesAndNothingOfAnotherSimulator(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{"controllers/x/x.py": "", "libraries/arm/arm.txt": "",
		"controllers/x/runtime.ini": `; as the guide has it
[environment variables]
ROBOT = "red one"
[environment variables with paths]
WEBOTS_LIBRARY_PATH = lib:$(EXTRA)
PYTHONPATH = ../../shared:$(PYTHONPATH)
[environment variables for Windows]
ROBOT = blue
`})
	p, err := findProgram(os.Open, dir, "x", nil, environment{"WEBOTS_HOME=/w",
		"EXTRA=/e", "PYTHONPATH=/mine",
		"WEBOTS_ROBOT_NAME=other", "WEBOTS_INSTANCE_PATH=/tmp/other", "WEBOTS_CONTROLLER_URL=ipc://1/other",
		"WEBOTS_STDOUT_REDIRECT=1", "WEBOTS_TMPDIR=/t"})
	if runtime.GOOS != "linux" { // the names differ elsewhere
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "controllers", "x")
	for name, want := range map[string]string{"ROBOT": "red one", "WEBOTS_TMPDIR": "/t",
		"PYTHONPATH": "/w/lib/controller/python:../../shared:/mine", "PYTHONIOENCODING": "UTF-8",
		"LD_LIBRARY_PATH": "lib:/e:" + filepath.Join(dir, "libraries", "arm") + ":" + folder +
			":/w/lib/controller",
		"WEBOTS_ROBOT_NAME": "", "WEBOTS_INSTANCE_PATH": "", "WEBOTS_CONTROLLER_URL": "",
		"WEBOTS_STDOUT_REDIRECT": ""} {
		if got := p.env.value(name); got != want {
			t.Errorf("%s=%q, want %q", name, got, want)
		}
	}
}

func TestLinesOfARuntimeINIThatMeanNothingAreToldWithTheirNumbers(t *testing.T) {
	for text, want := range map[string]string{"A = 1": "line 1", "[x]\nA": "line 2", "[x]\n= 1": "line 2",
		"\n[x": "line 2", "[x]\nA = \x00": "line 2", strings.Repeat("; x\n", 1<<15): "at most"} {
		if _, err := parseRuntimeINI([]byte(text)); !errors.Is(err, errRuntimeINI) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
	got, err := parseRuntimeINI([]byte("# c\r\n[ Python ]\r\nCOMMAND = a;b ; c\r\nX='q ; r' ; s\r\nY =\r\n"))
	want := []iniEntry{{"python", "COMMAND", "a;b"}, {"python", "X", "q ; r"}, {"python", "Y", ""}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// FuzzRuntimeINI holds that what is read has sections and keys, and no more lines than the text.
func FuzzRuntimeINI(f *testing.F) {
	f.Add([]byte("[environment variables]\nA = $(B)\n"))
	f.Add([]byte("; x\n[python]\nCOMMAND = \"python 3\" ; y\n[java]\nOPTIONS=\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := parseRuntimeINI(text)
		if err != nil && !errors.Is(err, errRuntimeINI) {
			t.Error(err)
		}
		if len(all) > strings.Count(string(text), "=") {
			t.Errorf("%d entries", len(all))
		}
		for _, e := range all {
			if e.section == "" && e.key == "" || e.key == "" || strings.ContainsAny(e.value, "\n\x00") {
				t.Errorf("%+v", e)
			}
		}
	})
}

func textLog(to io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(to, nil)) }

func TestWhatAProgramPrintsIsCutIntoLinesAndTheLastErrorsAreKept(t *testing.T) {
	var log strings.Builder
	p := &printed{log: textLog(&log), begun: make(chan struct{})}
	close(p.begun)
	out, wrong := p.stream(1), p.stream(2)
	for _, part := range []string{"hel", "lo\r\nwor", "ld\n" + strings.Repeat("x", 3*consoleLine), "\nend"} {
		if n, err := out.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	for i := range 10 {
		_, _ = wrong.Write([]byte(strings.Repeat("e", i) + "\n"))
	}
	if got, want := p.errors(), "eeeee\neeeeee\neeeeeee\neeeeeeee\neeeeeeeee"; got != want {
		t.Errorf("the last errors are %q, want %q", got, want)
	}
	for _, want := range []string{`"webots: controller: hello"`, `"webots: controller: world"`,
		strings.Repeat("x", consoleLine) + `"`} {
		if strings.Count(log.String(), want) != 1 {
			t.Errorf("the log has no line %.60q:\n%s", want, log.String())
		}
	}
	log.Reset()
	_, _ = out.Write([]byte(strings.Repeat("flood\n", 1000)))
	if lines := strings.Count(log.String(), "\n"); lines > 2*consoleRate {
		t.Errorf("%d lines of a flood were logged", lines)
	}
}
