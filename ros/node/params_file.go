package node

import (
	"fmt"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxParamsFile bounds a parameter file, in bytes.
const maxParamsFile = 1 << 20

// paramsKey is the key above the parameters of a node.
const paramsKey = "ros__parameters"

// readParams reads a parameter file like rcl_yaml_param_parser: under a node's full name, or its nested
// parts, ros__parameters with names and values. In a node's name * is a part and ** any number of them. Later
// entries of a file override earlier ones.
func readParams(name string) ([]Assignment, error) {
	info, err := os.Stat(name) // a pipe would be opened only when somebody writes to it
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w --params-file: %w", ErrArgs, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w --params-file %s: it is no regular file", ErrArgs, name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w --params-file: %w", ErrArgs, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxParamsFile+1))
	if err != nil {
		return nil, fmt.Errorf("%w --params-file %s: %w", ErrArgs, name, err)
	}
	if len(text) > maxParamsFile {
		return nil, fmt.Errorf("%w --params-file %s: it has more than %d bytes", ErrArgs, name, maxParamsFile)
	}
	return ParseParams(name, text)
}

// ParseParams reads the text of a parameter file as --params-file does; name is the file's in messages.
// Errors wrap ErrArgs and say where.
func ParseParams(name string, text []byte) ([]Assignment, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("%w --params-file %s: %w", ErrArgs, name, err)
	}
	if len(doc.Content) == 0 {
		return nil, nil // empty, or comments only
	}
	p := paramsFile{name: name}
	err := p.nodes("", doc.Content[0])
	return p.found, err
}

// paramsFile is a parameter file on its way to assignments.
type paramsFile struct {
	name  string
	found []Assignment
}

func (p *paramsFile) fault(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%w --params-file %s:%d:%d: %s", ErrArgs, p.name, n.Line, n.Column,
		fmt.Sprintf(format, args...))
}

// nodes reads what stands below a part of a node's name.
func (p *paramsFile) nodes(node string, n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return p.fault(n, "want names of nodes and %s below them", paramsKey)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		var err error
		switch {
		case key.Value != paramsKey:
			err = p.nodes(node+"/"+strings.Trim(key.Value, "/"), value)
		case node == "":
			err = p.fault(key, "%s wants the name of a node above it; /** is every node", paramsKey)
		default:
			err = p.parameters(node, "", value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// parameters reads names and values; names one below the other are joined by dots.
func (p *paramsFile) parameters(node, prefix string, n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return p.fault(n, "want names of parameters and their values")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name := prefix + key.Value
		if value.Kind == yaml.MappingNode {
			if err := p.parameters(node, name+".", value); err != nil {
				return err
			}
			continue
		}
		v, err := valueOf(value)
		if err != nil {
			return p.fault(value, "parameter %s: %v", name, err)
		}
		p.found = append(p.found, Assignment{Node: node, Name: name, Value: v})
	}
	return nil
}

// concerns reports whether an assignment is for a node of this name and full
// name.
func (a Assignment) concerns(name, full string) bool {
	if !strings.HasPrefix(a.Node, "/") {
		return a.Node == "" || a.Node == name
	}
	return matches(strings.Split(a.Node[1:], "/"), strings.Split(full[1:], "/"))
}

// special reports whether an assignment names its node, so that it can be told
// that it has no such parameter.
func (a Assignment) special() bool { return !strings.Contains(a.Node, "*") }

// matches compares the parts of a name with those of a pattern.
func matches(pattern, name []string) bool {
	switch {
	case len(pattern) == 0:
		return len(name) == 0
	case pattern[0] == "**":
		return matches(pattern[1:], name) || len(name) > 0 && matches(pattern, name[1:])
	}
	return len(name) > 0 && (pattern[0] == "*" || pattern[0] == name[0]) && matches(pattern[1:], name[1:])
}
