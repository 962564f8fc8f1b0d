package template

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// modules are the documented ones of Webots, written here.
//
//go:embed modules
var modules embed.FS

// compiled are the modules, by file.
var compiled = sync.OnceValue(func() map[string]*goja.Program {
	all := map[string]*goja.Program{}
	names, _ := fs.Glob(modules, "modules/*.js")
	for _, name := range names {
		text, _ := modules.ReadFile(name)
		tree, err := goja.Parse(name, string(text), parser.WithDisableSourceMaps)
		if err != nil {
			continue // a test compiles them all
		}
		if _, _, why := measured(tree); why != "" {
			continue
		}
		if code, err := goja.CompileAST(tree, true); err == nil {
			all[strings.TrimPrefix(name, "modules/")] = code
		}
	}
	return all
})

// module is one of them.
func module(file string) (*goja.Program, error) {
	if code := compiled()[file]; code != nil {
		return code, nil
	}
	return nil, fmt.Errorf("%s: %w", file, errNoModule)
}

// moduleNames lists the modules.
func moduleNames() string {
	var names []string
	files, _ := fs.Glob(modules, "modules/wb*.js")
	for _, f := range files {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(f, "modules/"), ".js"))
	}
	return strings.Join(names, ", ")
}

func itoa(n int) string { return strconv.Itoa(n) }
