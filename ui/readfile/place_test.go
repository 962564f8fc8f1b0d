package readfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestFilesAreOpenedAndReadHereAlone(t *testing.T) {
	read := regexp.MustCompile(`\b(os\.(ReadFile|Open|DirFS)\(|ioutil\.\w+\(|(root|Root)\.(ReadFile|Open)\([^"])`)
	elsewhere := regexp.MustCompile(`^\.\./\.\./(\.|ros/(msgs/gen|netsim)/|ros/node/params_file\.go$)`) // tools; and see there
	seen := 0
	err := filepath.WalkDir("../..", func(name string, e fs.DirEntry, err error) error {
		name = filepath.ToSlash(name)
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") ||
			strings.HasSuffix(name, "_test.go") || elsewhere.MatchString(name) {
			return err
		}
		text, err := os.ReadFile(name)
		seen++
		for i, line := range strings.Split(string(text), "\n") {
			if code, _, _ := strings.Cut(line, "//"); read.MatchString(code) {
				t.Errorf("%s:%d: files that users name are opened by package readfile, which waits for nobody and reads no more than a limit: %s",
					name, i+1, strings.TrimSpace(line))
			}
		}
		return err
	})
	if err != nil || seen < 300 {
		t.Errorf("%d files: %v: the walk is broken", seen, err)
	}
}
