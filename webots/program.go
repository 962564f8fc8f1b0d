package webots

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// errProgram is wrapped when a controller of a project cannot be started.
var errProgram = errors.New("no controller can be started")

// program is the command line of a controller.
type program struct {
	file string // of the controller, for messages
	path string // of what is executed: the file or its interpreter
	args []string
	dir  string // in which it runs
	env  environment
}

// findProgram finds the controller of a name in the folder controllers of a project. Webots' order is kept:
// NAME, build/release/NAME, NAME.class, NAME.jar, NAME.py. A name that reads like a path is refused. The
// program's environment is that of this process and of runtime.ini. Errors wrap errProgram.
func findProgram(open opener, project, name string, args []string, env environment) (*program, error) {
	folder := filepath.Join(project, "controllers", name)
	if filepath.Base(folder) != name || !filepath.IsLocal(name) || strings.ContainsAny(name, "/\\:\x00") {
		return nil, fmt.Errorf("%w: controller %q reads like a path; want the name of a folder in %s",
			errProgram, name, filepath.Join(project, "controllers"))
	}
	p := &program{dir: folder, env: env.forController(project, folder)}
	r := &recipe{program: p, name: name, open: open}
	if err := r.readINI(filepath.Join(folder, "runtime.ini")); err != nil {
		return nil, err
	}
	p.env = p.env.withFolder(loaderPath(), p.env.value("WEBOTS_LIBRARY_PATH"))
	tries := []struct {
		file    string
		command func() error
	}{{executableName(name), r.executable},
		{filepath.Join("build", "release", executableName(name)), r.executable},
		{name + ".class", r.runJava}, {name + ".jar", r.runJava}, {name + ".py", r.runPython}}
	var looked []string
	for _, try := range tries {
		p.file = filepath.Join(folder, try.file)
		if info, err := os.Stat(p.file); err == nil && info.Mode().IsRegular() {
			if err := try.command(); err != nil {
				return nil, err
			}
			p.args = append(p.args, args...)
			return p, nil
		}
		looked = append(looked, try.file)
	}
	return nil, fmt.Errorf("%w: there is none of %s in %s%s", errProgram, strings.Join(looked, ", "), folder,
		advice(folder, name))
}

// advice says what to do about a controller that is there as source text.
func advice(folder, name string) string {
	for _, ending := range [...]string{".c", ".cpp", ".java", ".m"} {
		if _, err := os.Stat(filepath.Join(folder, name+ending)); err != nil {
			continue
		}
		if ending == ".m" {
			return "; MATLAB is not started from here: run " + name + ".m yourself"
		}
		return "; compile " + name + ending + " first"
	}
	return ""
}

func executableName(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// recipe makes a command line, as runtime.ini wants it.
type recipe struct {
	*program
	open         opener
	name         string
	java, python interpreter
}

// interpreter is the program that runs controllers of a language.
type interpreter struct {
	command string // empty: the usual one
	options []string
}

// take takes over a line of runtime.ini.
func (i *interpreter) take(e iniEntry, value string) {
	switch e.key {
	case "COMMAND":
		i.command = value
	case "OPTIONS":
		i.options = strings.Fields(value)
	}
}

// readINI takes over what a runtime.ini says; a controller without one needs none.
func (r *recipe) readINI(file string) error {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	var entries []iniEntry
	if err == nil {
		var text []byte
		if text, err = r.open.start(file, maxRuntimeINI+1); err == nil {
			entries, err = parseRuntimeINI(text)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", errProgram, file, err)
	}
	system := "environment variables for " + cmp.Or(map[string]string{"darwin": "macos"}[runtime.GOOS],
		runtime.GOOS)
	for _, e := range entries {
		value := r.env.expand(e.value)
		switch e.section {
		case "environment variables", "environment variables with paths",
			"environment variables with relative paths", system, system + " 64":
			r.env = r.env.with(e.key, value)
		case "python":
			r.python.take(e, value)
		case "java":
			r.java.take(e, value)
		}
	}
	return nil
}

// opener opens a regular file, and waits for no other.
type opener func(name string) (*os.File, error)

// start reads the first bytes of a file.
func (open opener) start(file string, most int64) ([]byte, error) {
	f, err := open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// executable runs the file itself.
func (r *recipe) executable() error {
	info, err := os.Stat(r.file)
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
		err = fs.ErrPermission
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w: want an executable file (chmod +x)", errProgram, r.file, err)
	}
	r.path = r.file
	return nil
}

// runJava runs a class, from its folder or from a jar.
func (r *recipe) runJava() error {
	library := r.env.library("java")
	classes := r.dir
	if strings.HasSuffix(r.file, ".jar") {
		classes = r.file
	}
	env := r.env.withFolder("CLASSPATH", classes).withFolder("JAVA_LIBRARY_PATH", library)
	if library != "" {
		env = env.withFolder("CLASSPATH", filepath.Join(library, "Controller.jar"))
	}
	r.args = append([]string{"-classpath", env.value("CLASSPATH"),
		"-Djava.library.path=" + env.value("JAVA_LIBRARY_PATH")}, r.java.options...)
	r.args = append(r.args, r.name)
	return r.interpret(cmp.Or(r.java.command, "java"))
}

// runPython runs a script by the interpreter that its first line names, or runtime.ini, or the usual one.
func (r *recipe) runPython() error {
	command := cmp.Or(r.python.command, "python3")
	if runtime.GOOS == "windows" {
		command = cmp.Or(r.python.command, "python")
	} else if named := r.shebang(); named != "" {
		command = named
	}
	r.env = r.env.withFolder("PYTHONPATH", r.env.library("python")).with("PYTHONIOENCODING", "UTF-8")
	// -u: lines come as they are printed
	r.args = append(append([]string{"-u"}, r.python.options...), r.name+".py")
	return r.interpret(command)
}

// interpret finds an interpreter.
func (r *recipe) interpret(command string) error {
	path, err := exec.LookPath(command)
	if err == nil {
		path, err = filepath.Abs(path) // it runs in another folder
	}
	if err != nil {
		return fmt.Errorf("%w: %s needs %s: %w", errProgram, r.file, command, err)
	}
	r.path = path
	return nil
}

// shebang is the interpreter that the script names in its first line; empty: it names none.
func (r *recipe) shebang() string {
	start, err := r.open.start(r.file, 256)
	if err != nil {
		return ""
	}
	line, _, _ := bytes.Cut(start, []byte("\n"))
	rest, ok := strings.CutPrefix(string(line), "#!")
	words := strings.Fields(rest)
	if !ok || len(words) == 0 {
		return ""
	}
	if filepath.Base(words[0]) == "env" && len(words) > 1 {
		return words[1]
	}
	return words[0]
}
