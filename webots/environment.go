package webots

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// environment is the environment of a process, as NAME=VALUE. It is not changed: with gives another.
type environment []string

// passed are the variables of this process that a controller gets. A * stands for any end of a name. None of
// them may hold a password or a key. A project names others in its runtime.ini.
var passed = strings.Fields(`PATH HOME USER USERNAME LOGNAME SHELL LANG LANGUAGE LC_* TZ TERM TMPDIR TMP TEMP
	PWD DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME
	LD_LIBRARY_PATH DYLD_LIBRARY_PATH WEBOTS_* PYTHON* VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV
	JAVA_HOME CLASSPATH MATLAB_* ROS_* RMW_* AMENT_* COLCON_PREFIX_PATH CMAKE_PREFIX_PATH CYCLONEDDS_*
	FASTRTPS_* FASTDDS_* ZENOH_* CUDA_* OMP_* GOCOVERDIR SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT
	APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES* USERPROFILE NUMBER_OF_PROCESSORS PROCESSOR_*`)

// clean is the part of an environment that controllers may see.
func (e environment) clean() (out environment) {
	for _, v := range e {
		name, _, _ := strings.Cut(v, "=")
		if slices.ContainsFunc(passed, func(p string) bool {
			begin, any := strings.CutSuffix(p, "*")
			return strings.EqualFold(name, p) ||
				any && len(name) >= len(begin) && strings.EqualFold(name[:len(begin)], begin)
		}) {
			out = append(out, v)
		}
	}
	return out
}

// value is that of a variable; empty: it is not set.
func (e environment) value(name string) string {
	for i := len(e) - 1; i >= 0; i-- { // of several the last holds
		if value, ok := strings.CutPrefix(e[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// without leaves variables out.
func (e environment) without(names ...string) (out environment) {
next:
	for _, v := range e {
		for _, name := range names {
			if strings.HasPrefix(v, name+"=") {
				continue next
			}
		}
		out = append(out, v)
	}
	return out
}

func (e environment) with(name, value string) environment {
	return append(e.without(name), name+"="+value)
}

// withFolder puts a folder before the others of a list of folders; an empty one changes nothing.
func (e environment) withFolder(name, folder string) environment {
	if folder == "" {
		return e
	}
	if others := e.value(name); others != "" {
		folder += string(os.PathListSeparator) + others
	}
	return e.with(name, folder)
}

// variables are written $(NAME) in a runtime.ini.
var variables = regexp.MustCompile(`\$\((\w+)\)`)

// expand puts values in the places of variables.
func (e environment) expand(text string) string {
	return variables.ReplaceAllStringFunc(text, func(v string) string { return e.value(v[2 : len(v)-1]) })
}

// loaderPath is the variable with the folders of shared libraries.
func loaderPath() string {
	switch runtime.GOOS {
	case "darwin":
		return "DYLD_LIBRARY_PATH"
	case "windows":
		return "PATH"
	}
	return "LD_LIBRARY_PATH"
}

// library is a folder of Webots' controller library; empty: WEBOTS_HOME is not set.
func (e environment) library(part string) string {
	home := e.value("WEBOTS_HOME")
	if home == "" {
		return ""
	}
	if runtime.GOOS == "darwin" {
		home = filepath.Join(home, "Contents")
	}
	return filepath.Join(home, "lib", "controller", part)
}

// forController is the environment of a controller in its folder: it finds Webots' library, and those of its
// project. Variables that lead to another simulator, or past our log, are left out.
func (e environment) forController(project, folder string) environment {
	e = e.without("WEBOTS_CONTROLLER_URL", "WEBOTS_ROBOT_NAME", "WEBOTS_INSTANCE_PATH", "WEBOTS_STDOUT_REDIRECT",
		"WEBOTS_STDERR_REDIRECT")
	own := []string{e.library(""), folder}
	all, _ := os.ReadDir(filepath.Join(project, "libraries")) // most projects have none
	for _, f := range all {
		own = append(own, filepath.Join(project, "libraries", f.Name()))
	}
	for _, library := range own {
		e = e.withFolder(loaderPath(), library)
	}
	return e
}
