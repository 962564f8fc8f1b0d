package scenario

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/scene"
	"simdeck/sim/yamlsrc"
)

// variable matches a reference to a variable in a text.
var variable = regexp.MustCompile(`\$\{([^{}]*)\}`)

// name matches the names that a variable may have.
var name = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// fill puts the values of variables where the file names them; given ones go before those of the file.
func (r *reader) fill(top *yaml.Node, given map[string]string) {
	values := map[string]string{}
	if at := under(top, "vars"); at != nil {
		values = r.declared(at)
	}
	for _, v := range slices.Sorted(maps.Keys(given)) {
		if _, ok := values[v]; !ok {
			r.Fail(under(top, "vars"), "there is no variable %q%s", yamlsrc.Clip(v), suggest(v, values))
		}
		values[v] = given[v]
	}
	if top.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(top.Content); i += 2 {
		if top.Content[i].Value != "vars" {
			r.replace(top.Content[i+1], values)
		}
	}
}

// declared returns the values of the file's variables.
func (r *reader) declared(n *yaml.Node) map[string]string {
	values := map[string]string{}
	if n.Kind != yaml.MappingNode {
		r.Fail(n, "vars holds no variables; want {speed: 5}")
		return values
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		_, twice := values[k.Value]
		switch {
		case !name.MatchString(k.Value):
			r.Fail(k, "%q is no name of a variable; want letters, digits and _", yamlsrc.Clip(k.Value))
		case v.Kind != yaml.ScalarNode || strings.Contains(v.Value, "${"):
			r.Fail(v, "%s is no number and no text", k.Value)
		case twice:
			r.Fail(k, "a second variable is named %q", k.Value)
		}
		values[k.Value] = v.Value
	}
	return values
}

// replace puts values into all texts under a node.
func (r *reader) replace(n *yaml.Node, values map[string]string) {
	if n.Kind != yaml.ScalarNode {
		for i, c := range n.Content {
			if n.Kind != yaml.MappingNode || i%2 == 1 {
				r.replace(c, values)
			}
		}
		return
	}
	n.Value = variable.ReplaceAllStringFunc(n.Value, func(whole string) string {
		v := whole[2 : len(whole)-1]
		value, ok := values[v]
		if !ok {
			r.Fail(n, "there is no variable %q%s", yamlsrc.Clip(v), suggest(v, values))
		}
		return value
	})
}

// suggest says which variable may have been meant.
func suggest(v string, values map[string]string) string {
	names := slices.Sorted(maps.Keys(values))
	if len(names) == 0 {
		return "; vars: at the top of the file declares them"
	}
	if near := scene.Suggest(v, names); near != "" {
		return "; did you mean \"" + near + "\"?"
	}
	return "; there are " + yamlsrc.Clip(strings.Join(names, ", "))
}

// under is the value of a key of a map; nil when it has none.
func under(n *yaml.Node, key string) *yaml.Node {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				return n.Content[i+1]
			}
		}
	}
	return nil
}
