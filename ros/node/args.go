package node

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrArgs is wrapped by every error about ROS arguments.
var ErrArgs = errors.New("ROS argument")

// Args holds the arguments of a node after --ros-args.
type Args struct {
	Rules      []Rule
	Parameters []Assignment // later ones override earlier ones
	Enclave    string       // "" = "/"
}

// Rule renames a topic or service, or with From "__node" or "__ns" the node.
type Rule struct {
	Node     string // only for the node of this name; empty: for every one
	From, To string
}

// Assignment is a parameter value given on the command line or in a file.
type Assignment struct {
	// only for the node of this name, or /full name, where * is a part and ** any parts; empty: for every one
	Node  string
	Name  string
	Value Value
}

// ParseArgs reads the arguments after --ros-args until "--": -r and --remap FROM:=TO, -p and --param
// NAME:=VALUE (optionally NODE: first), --params-file FILE, --enclave PATH. Logging options are taken and
// have no effect. Errors wrap ErrArgs.
func ParseArgs(args []string) (Args, error) {
	var a Args
	for i := 0; i < len(args); i++ {
		option := args[i]
		switch option {
		case "--ros-args", "--":
			continue
		case "--disable-stdout-logs", "--disable-rosout-logs", "--disable-external-lib-logs",
			"--enable-stdout-logs", "--enable-rosout-logs", "--enable-external-lib-logs":
			continue
		}
		if i+1 == len(args) {
			return a, fmt.Errorf("%w %s: unknown, or the value after it is missing", ErrArgs, option)
		}
		i++
		if err := a.add(option, args[i]); err != nil {
			return a, err
		}
	}
	return a, nil
}

func (a *Args) add(option, value string) error {
	switch option {
	case "--log-level", "--log-config-file", "--log-file-name":
		return nil
	case "-e", "--enclave":
		if err := CheckNamespace(value); err != nil {
			return fmt.Errorf("%w %s: an enclave is named like a namespace: %w", ErrArgs, option, err)
		}
		a.Enclave = value
		return nil
	case "--params-file":
		found, err := readParams(value)
		a.Parameters = append(a.Parameters, found...)
		return err
	case "-r", "--remap":
		node, from, to, err := split(option, value)
		if err != nil {
			return err
		}
		a.Rules = append(a.Rules, Rule{Node: node, From: from, To: to})
		return nil
	case "-p", "--param":
		node, name, text, err := split(option, value)
		if err != nil {
			return err
		}
		a.Parameters = append(a.Parameters, Assignment{Node: node, Name: name, Value: ParseValue(text)})
		return nil
	}
	return fmt.Errorf("%w %s: unknown; -r FROM:=TO, -p NAME:=VALUE, --params-file FILE and --enclave PATH are known",
		ErrArgs, option)
}

// split takes "node:from:=to" apart; the node is optional.
func split(option, text string) (node, from, to string, err error) {
	from, to, ok := strings.Cut(text, ":=")
	if !ok || from == "" || to == "" {
		return "", "", "", fmt.Errorf("%w %s %q: want NAME:=VALUE", ErrArgs, option, text)
	}
	if n, rest, scoped := strings.Cut(from, ":"); scoped {
		node, from = n, rest
	}
	return node, from, to, nil
}

// Parameter returns the given value of a parameter of the node that begins under a name in a namespace; false
// without one.
func (a Args) Parameter(parameter, node, ns string) (v Value, given bool) {
	node, ns = a.identity(node, Join("/", ns))
	for _, p := range a.Parameters {
		if p.Name == parameter && p.concerns(node, Join(ns, node)) {
			v, given = p.Value, true
		}
	}
	return v, given
}

// identity is the node's name and namespace after its __node and __ns rules.
func (a Args) identity(name, ns string) (string, string) {
	given := name
	for _, r := range a.Rules {
		if r.Node != "" && r.Node != given {
			continue
		}
		switch r.From {
		case "__node", "__name":
			name = r.To
		case "__ns":
			ns = r.To
		}
	}
	return name, ns
}

// renames reports whether a rule gives the node that begins under a name another one.
func (a Args) renames(name string) bool {
	return slices.ContainsFunc(a.Rules, func(r Rule) bool {
		return (r.Node == "" || r.Node == name) && (r.From == "__node" || r.From == "__name")
	})
}

// resolve is the full name of a topic or service of the node after the first rule for the node of the given name that
// matches: rules and names are expanded before they are compared.
func (a Args) resolve(name, ns, node, given string) (string, error) {
	full, err := Expand(name, ns, node)
	if err != nil {
		return "", err
	}
	for _, r := range a.Rules {
		if r.Node != "" && r.Node != given || strings.HasPrefix(r.From, "__") {
			continue
		}
		from, err := Expand(scheme(r.From), ns, node)
		if err != nil || from != full {
			continue
		}
		to, err := Expand(scheme(r.To), ns, node)
		if err != nil {
			return "", fmt.Errorf("remap %s:=%s: %w", r.From, r.To, err)
		}
		return to, nil
	}
	return full, nil
}

// scheme drops rostopic:// and rosservice://, which limit a rule; here a name
// is never both.
func scheme(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "rostopic://"), "rosservice://")
}
