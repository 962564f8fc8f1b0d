package xacro

import (
	"fmt"
	"strings"

	"simdeck/sim/format/xacro/expr"
	"simdeck/sim/scene"
)

// mathNames and pythonNames are the modules; globals are the names that need no module's name.
var (
	mathNames   = expr.Math()
	pythonNames = expr.Python()
	globals     = known()
)

func known() map[string]expr.Value {
	out := map[string]expr.Value{"math": mathNames, "python": pythonNames}
	for name, v := range mathNames {
		out[name] = v
	}
	for _, name := range strings.Fields("list dict map len str float int bool min max round sorted range") {
		out[name] = pythonNames[name]
	}
	return out
}

// module is the value of the prefix "xacro." in expressions.
func (x *expander) module() expr.Value {
	text := func(name string, run func(e *expr.Env, s string) (expr.Value, error)) expr.Func {
		return expr.Func{Name: name, Call: func(e *expr.Env, a []expr.Value,
			_ map[string]expr.Value) (expr.Value, error) {
			if len(a) < 1 {
				return nil, fmt.Errorf("no argument")
			}
			s, ok := a[0].(string)
			if !ok && name != "message" && name != "warning" && name != "error" && name != "fatal" {
				return nil, fmt.Errorf("a string is needed")
			}
			if !ok {
				s = expr.Str(a[0])
			}
			return run(e, s)
		}}
	}
	said := func(name string, kind scene.NoteKind) expr.Func {
		return text(name, func(_ *expr.Env, s string) (expr.Value, error) {
			if name != "message" {
				x.note(kind, x.at, "the file says: %s", clip(s))
			}
			return "", nil
		})
	}
	return expr.Names{
		"load_yaml": text("load_yaml", func(_ *expr.Env, s string) (expr.Value, error) { return x.yaml(s) }),
		"abs_filename": text("abs_filename", func(_ *expr.Env, s string) (expr.Value, error) {
			if strings.Contains(s, "://") || strings.HasPrefix(s, "/") {
				return s, nil
			}
			return x.files.Folder(x.here().ref) + "/" + s, nil
		}),
		"arg":      text("arg", func(_ *expr.Env, s string) (expr.Value, error) { return x.arg(s) }),
		"tokenize": expr.Func{Name: "tokenize", Call: tokenize},
		"dotify": expr.Func{Name: "dotify",
			Call: func(_ *expr.Env, a []expr.Value, _ map[string]expr.Value) (expr.Value, error) {
				if len(a) != 1 {
					return nil, fmt.Errorf("%d arguments", len(a))
				}
				return a[0], nil
			}},
		"message": said("message", scene.Inferred), "warning": said("warning", scene.Suspicious),
		"error": said("error", scene.Suspicious),
		"fatal": text("fatal", func(_ *expr.Env, s string) (expr.Value, error) {
			return nil,
				fmt.Errorf("the file stops here: %s", s)
		}),
	}
}

// tokenize cuts a text at any of the separators, ",; " unless others are given.
func tokenize(e *expr.Env, a []expr.Value, named map[string]expr.Value) (expr.Value, error) {
	seps, skip := ",; ", true
	if len(a) > 1 {
		named = map[string]expr.Value{"sep": a[1]}
	}
	if v, ok := named["sep"]; ok {
		seps = expr.Str(v)
	}
	if v, ok := named["skip_empty"]; ok {
		skip = expr.Truth(v)
	}
	if len(a) == 0 {
		return nil, fmt.Errorf("no argument")
	}
	out := &expr.List{}
	word := ""
	put := func() {
		if word != "" || !skip {
			out.Items = append(out.Items, word)
		}
		word = ""
	}
	s := expr.Str(a[0])
	for _, r := range s {
		if strings.ContainsRune(seps, r) {
			put()
			continue
		}
		word += string(r)
	}
	put()
	return out, e.Budget.Spend(32 * len(s))
}
