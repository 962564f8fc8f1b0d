package tidy

import (
	"go/ast"
	"regexp"
	"testing"
)

// makers are the files that make files or folders, with the reasons for their permissions.
var makers = map[string]string{
	"ui/cli/store/store.go":  "what is its owner's alone, in an opened folder",
	"ros/bag/folder.go":      "the same, for recordings of topics",
	"ui/sshd/hostkey.go":     "a private key: 0600",
	"ui/cli/checkinfo.go":    "a sidecar stands beside a model, and is for who reads that",
	"ros/conform/examine.go": "a report for CI, which reads it as another user",
	"ui/cli/batch/child.go":  "a setting of the kernel under /proc",
	"webots/private.go":      "sockets and pictures for controllers of the same user: 0600 below a folder of 0700",
	"ros/msgs/gen/main.go":   "source text",
	"ui/cli/recorder.go":     "through the folder that a Disk opened: 0600",
	"ros/bag/disk.go":        "through a Folder: 0600",
}

func TestFilesAreMadeInFewPlaces(t *testing.T) {
	makes := regexp.MustCompile(`^(Create|CreateTemp|OpenFile|WriteFile|Mkdir|MkdirAll|MkdirTemp|Chmod)$`)
	found := map[string]bool{}
	for _, s := range sources(t) {
		if s.test || regexp.MustCompile(`^(\.ci/|deploy/|ui/uitest)`).MatchString(s.pkg+"/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !makes.MatchString(selector(call)) || len(call.Args) == 0 || before(call) == "store" {
				return true
			}
			found[s.name] = true
			if makers[s.name] == "" {
				t.Errorf("%s:%d: %s: files are made by ui/cli/store and ros/bag, so that only their owner can read them and links lead nowhere; "+
					"where others are to read one, say why in this test", s.name, s.line(call.Pos()),
					selector(call))
			}
			return true
		})
	}
	for name := range makers {
		if !found[name] {
			t.Errorf("%s makes no file any more: take it off the list", name)
		}
	}
}

// before is the receiver of a call, if that is one name.
func before(call *ast.CallExpr) string {
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		if id, ok := s.X.(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}
