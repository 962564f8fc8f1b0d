package cli

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"simdeck/ui/escape"
)

// Tree is the tree of commands as it is run, for those that describe it: manuals and completions.
func Tree(p Program) *cobra.Command { return newRoot(&session{Program: p}) }

// development is the version of a binary that go build has made in a working copy. It is above the
// last release in CHANGELOG.md, and the same as in .ci/release.
const development = "0.2.0-dev"

// VersionOf is this binary's version without the leading v: the linker's in releases, else that of the module
// that go install built.
func VersionOf(linked string) string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(linked, info)
}

func versionOf(linked string, info *debug.BuildInfo) string {
	switch {
	case linked != "":
		return linked
	case info != nil && info.Main.Sum != "": // from a module cache; a working copy has no sum
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return development
}

// edition says which simdeck this is.
type edition struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	System   string `json:"system"`
	Arch     string `json:"arch"`
	Module   string `json:"module,omitempty"`   // path that go install takes; a fork has its own
	Modules  int    `json:"modules"`            // of others in it
	Revision string `json:"revision,omitempty"` // of the source, where the build knew it
}

// editionOf describes a binary of some version by what the build wrote into it.
func editionOf(version string, info *debug.BuildInfo) edition {
	e := edition{Version: version, Go: runtime.Version(), System: runtime.GOOS, Arch: runtime.GOARCH}
	if info == nil {
		return e
	}
	e.Module, e.Modules = info.Main.Path, len(info.Deps)
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			e.Revision = s.Value
		}
	}
	return e
}

func (s *session) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: "Print which simdeck this is", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, _ := debug.ReadBuildInfo()
			e := editionOf(s.Version, info)
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(e)
			}
			_, err := escape.Fprintf(cmd.OutOrStdout(), "simdeck %s, %s for %s/%s, %d modules of others\n",
				e.Version, e.Go, e.System, e.Arch, e.Modules)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}
