package expr

import (
	"slices"
	"strings"
)

// method binds a method of a string, list or dictionary to its value.
func method(v Value, name string) (Func, bool) {
	var run func(e *Env, args []Value) (Value, error)
	switch v := v.(type) {
	case string:
		run = textMethod(v, name)
	case *List:
		run = listMethod(v, name)
	case *Dict:
		run = dictMethod(v, name)
	}
	if run == nil {
		return Func{}, false
	}
	return Func{name, func(e *Env, args []Value, named map[string]Value) (Value, error) {
		if len(named) > 0 {
			return nil, wrong("takes no arguments by name")
		}
		return run(e, args)
	}}, true
}

// words are the arguments of a method as strings; at least min of them, at most max.
func words(args []Value, least, most int) ([]string, error) {
	if len(args) < least || len(args) > most {
		return nil, wrong("%d arguments", len(args))
	}
	out := make([]string, most)
	for i, a := range args {
		s, ok := a.(string)
		if !ok {
			return nil, wrong("%s where a string is needed", kind(a))
		}
		out[i] = s
	}
	return out, nil
}

type textual = func(e *Env, args []Value) (Value, error)

// plain is a method without arguments.
func plain(f func(string) Value, s string) textual {
	return func(e *Env, args []Value) (Value, error) {
		if len(args) > 0 {
			return nil, wrong("%d arguments", len(args))
		}
		return f(s), e.Budget.Spend(len(s))
	}
}

func textMethod(s, name string) textual {
	if m := searching(s, name); m != nil {
		return m
	}
	switch name {
	case "lower":
		return plain(func(s string) Value { return strings.ToLower(s) }, s)
	case "upper":
		return plain(func(s string) Value { return strings.ToUpper(s) }, s)
	case "capitalize":
		return plain(func(s string) Value {
			return strings.ToUpper(s[:min(1, len(s))]) +
				strings.ToLower(s[min(1, len(s)):])
		}, s)
	case "isdigit", "isnumeric", "isdecimal":
		return plain(func(s string) Value { return s != "" && strings.Trim(s, "0123456789") == "" }, s)
	case "split":
		return func(e *Env, args []Value) (Value, error) { return split(e, s, args) }
	case "join":
		return func(e *Env, args []Value) (Value, error) { return join(e, s, args) }
	case "strip", "lstrip", "rstrip":
		return func(e *Env, args []Value) (Value, error) {
			w, err := words(args, 0, 1)
			if err != nil {
				return nil, err
			}
			if w[0] == "" {
				w[0] = " \t\r\n\v\f"
			}
			switch name {
			case "lstrip":
				return e.text(strings.TrimLeft(s, w[0]))
			case "rstrip":
				return e.text(strings.TrimRight(s, w[0]))
			}
			return e.text(strings.Trim(s, w[0]))
		}
	case "replace":
		return func(e *Env, args []Value) (Value, error) {
			w, err := words(args, 2, 2)
			if err != nil {
				return nil, err
			}
			if err := e.Budget.Spend(len(s) + (strings.Count(s, w[0])+1)*len(w[1])); err != nil {
				return nil, err
			}
			return strings.ReplaceAll(s, w[0], w[1]), nil
		}
	case "zfill":
		return func(e *Env, args []Value) (Value, error) {
			if len(args) != 1 {
				return nil, wrong("%d arguments", len(args))
			}
			n, _ := integer(args[0])
			return e.text(formatting{flags: "0", width: int(min(max(n, 0), 1000))}.pad(s+"", s != ""))
		}
	}
	return nil
}

// searching are the methods that look for one string in another.
func searching(s, name string) textual {
	look := map[string]func(string) Value{
		"startswith": func(w string) Value { return strings.HasPrefix(s, w) },
		"endswith":   func(w string) Value { return strings.HasSuffix(s, w) },
		"find":       func(w string) Value { return int64(strings.Index(s, w)) },
		"rfind":      func(w string) Value { return int64(strings.LastIndex(s, w)) },
		"count":      func(w string) Value { return int64(strings.Count(s, w)) },
	}[name]
	if look == nil {
		return nil
	}
	return func(e *Env, args []Value) (Value, error) {
		w, err := words(args, 1, 1)
		if err != nil {
			return nil, err
		}
		return look(w[0]), e.Budget.Spend(len(s))
	}
}

func split(e *Env, s string, args []Value) (Value, error) {
	w, err := words(args, 0, 1)
	if err != nil {
		return nil, err
	}
	parts := strings.Fields(s)
	if len(args) == 1 {
		if w[0] == "" {
			return nil, wrong("an empty separator")
		}
		parts = strings.Split(s, w[0])
	}
	return e.list(values(parts))
}

func values(words []string) []Value {
	out := make([]Value, len(words))
	for i, w := range words {
		out[i] = w
	}
	return out
}

func join(e *Env, sep string, args []Value) (Value, error) {
	if len(args) != 1 {
		return nil, wrong("%d arguments", len(args))
	}
	items, err := iterate(e, args[0])
	if err != nil {
		return nil, err
	}
	total := 0
	parts := make([]string, len(items))
	for i, it := range items {
		s, ok := it.(string)
		if !ok {
			return nil, wrong("%s where a string is needed", kind(it))
		}
		parts[i] = s
		total += len(s) + len(sep)
	}
	if err := e.Budget.Spend(total); err != nil {
		return nil, err
	}
	return strings.Join(parts, sep), nil
}

func listMethod(l *List, name string) textual {
	if name != "index" && name != "count" {
		return nil
	}
	return func(e *Env, args []Value) (Value, error) {
		if len(args) != 1 {
			return nil, wrong("%d arguments", len(args))
		}
		same := func(v Value) bool { return equal(v, args[0], 0) }
		if name == "index" {
			at := slices.IndexFunc(l.Items, same)
			if at < 0 {
				return nil, wrong("%s is not in the list", clip(Repr(args[0])))
			}
			return int64(at), e.Budget.Spend(len(l.Items))
		}
		n := int64(0)
		for _, v := range l.Items {
			if same(v) {
				n++
			}
		}
		return n, e.Budget.Spend(len(l.Items))
	}
}

func dictMethod(d *Dict, name string) textual {
	switch name {
	case "keys", "values", "items":
		return func(e *Env, args []Value) (Value, error) {
			var out []Value
			for _, k := range d.keys {
				switch v := d.values[k]; name {
				case "keys":
					out = append(out, k)
				case "values":
					out = append(out, v)
				default:
					out = append(out, &List{Items: []Value{k, v}, Tuple: true})
				}
			}
			return e.list(out)
		}
	case "get":
		return func(e *Env, args []Value) (Value, error) {
			if len(args) != 1 && len(args) != 2 {
				return nil, wrong("%d arguments", len(args))
			}
			if v, ok := d.Get(args[0]); ok {
				return v, nil
			}
			return append(args, nil)[1], nil
		}
	}
	return nil
}
