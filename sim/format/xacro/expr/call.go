package expr

// member reads the name behind a dot.
func (p *parser) member(of node) (node, error) {
	t := p.peek()
	if t.kind != 'i' {
		return nil, wrong("%s found where a name is needed", describe(t))
	}
	p.at++
	if _, err := word(t.text); err != nil {
		return nil, err
	}
	return func(e *Env) (Value, error) {
		v, err := e.next(of)
		if err != nil {
			return nil, err
		}
		return attribute(v, t.text)
	}, nil
}

func attribute(v Value, name string) (Value, error) {
	if m, ok := method(v, name); ok {
		return m, nil
	}
	switch v := v.(type) {
	case *Dict:
		if item, ok := v.Get(name); ok {
			return item, nil
		}
		return nil, wrong("the dictionary has no key %q; it has %s", clip(name), v.names())
	case Attributed:
		return v.Attr(name)
	}
	return nil, wrong("%s has no %q", kind(v), clip(name))
}

// argument is one of a call; named when it was written with its name.
type argument struct {
	name  string
	value node
}

func (p *parser) call(of node) (node, error) {
	var args []argument
	for !p.accept(")") {
		var a argument
		if t := p.peek(); t.kind == 'i' && p.tokens[p.at+1].kind == 'o' && p.tokens[p.at+1].text == "=" {
			a.name = t.text
			p.at += 2
		}
		var err error
		if a.value, err = p.expression(); err != nil {
			return nil, err
		}
		if p.is("for") {
			if a.value, err = p.comprehension(a.value); err != nil {
				return nil, err
			}
		}
		args = append(args, a)
		if !p.is(")") {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
	}
	return func(e *Env) (Value, error) { return invoke(e, of, args) }, nil
}

func invoke(e *Env, of node, args []argument) (Value, error) {
	if err := e.step(); err != nil {
		return nil, err
	}
	v, err := of(e)
	if err != nil {
		return nil, err
	}
	f, ok := v.(Func)
	if !ok {
		return nil, wrong("%s is no function", kind(v))
	}
	var values []Value
	named := map[string]Value{}
	for _, a := range args {
		v, err := a.value(e)
		if err != nil {
			return nil, err
		}
		if a.name == "" {
			values = append(values, v)
		} else {
			named[a.name] = v
		}
	}
	out, err := f.Call(e, values, named)
	if err != nil {
		return nil, wrong("%s: %w", f.Name, err)
	}
	return out, nil
}

// index reads [i] or [from:to:step].
func (p *parser) index(of node) (node, error) {
	var parts [3]node
	count, colons := 0, 0
	for !p.accept("]") {
		if p.accept(":") {
			if colons++; colons > 2 {
				return nil, wrong("a slice has at most two colons")
			}
			continue
		}
		n, err := p.tuple()
		if err != nil {
			return nil, err
		}
		if parts[colons] != nil {
			return nil, wrong("%s is not expected in an index", describe(p.peek()))
		}
		parts[colons] = n
		count++
	}
	if count == 0 && colons == 0 {
		return nil, wrong("an index in [] is needed")
	}
	return func(e *Env) (Value, error) {
		v, err := e.next(of)
		if err != nil {
			return nil, err
		}
		var at [3]Value
		for i, n := range parts {
			if n == nil {
				continue
			}
			if at[i], err = n(e); err != nil {
				return nil, err
			}
		}
		if colons > 0 {
			return slice(e, v, at)
		}
		return item(v, at[0])
	}, nil
}

// item is v[i].
func item(v, i Value) (Value, error) {
	if d, ok := v.(*Dict); ok {
		if out, ok := d.Get(i); ok {
			return out, nil
		}
		return nil, wrong("the dictionary has no key %s; it has %s", clip(Repr(i)), d.names())
	}
	n, ok := integer(i)
	if !ok {
		return nil, wrong("%s cannot be indexed with %s", kind(v), clip(Repr(i)))
	}
	length, ok := size(v)
	if !ok {
		return nil, wrong("%s has no items", kind(v))
	}
	at := n
	if at < 0 {
		at += int64(length)
	}
	if at < 0 || at >= int64(length) {
		return nil, wrong("index %d of %s with %d items", n, kind(v), length)
	}
	if l, ok := v.(*List); ok {
		return l.Items[at], nil
	}
	return string([]rune(v.(string))[at]), nil
}

// slice is v[from:to:step].
func slice(e *Env, v Value, at [3]Value) (Value, error) {
	length, ok := size(v)
	if _, isDict := v.(*Dict); !ok || isDict {
		return nil, wrong("%s cannot be cut", kind(v))
	}
	n := int64(length)
	var bounds [3]int64
	for i, b := range at {
		if b == nil {
			continue
		}
		if bounds[i], ok = integer(b); !ok {
			return nil, wrong("%s is no place to cut at", clip(Repr(b)))
		}
	}
	step := int64(1)
	if at[2] != nil {
		step = bounds[2]
	}
	if step == 0 || step > n && n > 0 && step > 1<<31 || step < -(1<<31) {
		return nil, wrong("a slice with a step of %d", step)
	}
	low, high := int64(0), n
	if step < 0 {
		low, high = -1, n-1
	}
	place := func(i int, otherwise int64) int64 {
		if at[i] == nil {
			return otherwise
		}
		if bounds[i] < 0 {
			bounds[i] += n
		}
		return min(max(bounds[i], low), high)
	}
	from, to := place(0, low), place(1, high)
	if step < 0 {
		from, to = place(0, high), place(1, low)
	}
	var items []Value
	var text []rune
	whole, _ := v.(string)
	runes := []rune(whole)
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		if l, ok := v.(*List); ok {
			items = append(items, l.Items[i])
		} else {
			text = append(text, runes[i])
		}
	}
	if _, ok := v.(string); ok {
		return e.text(string(text))
	}
	return e.list(items)
}
