package expr

import "strings"

// primary reads an atom and what follows it: calls, indexes and names behind a dot.
func (p *parser) primary() (node, error) {
	n, err := p.atom()
	for err == nil {
		switch {
		case p.accept("."):
			n, err = p.member(n)
		case p.accept("("):
			n, err = p.call(n)
		case p.accept("["):
			n, err = p.index(n)
		default:
			return n, nil
		}
	}
	return nil, err
}

// reserved words of Python that cannot be names here.
const reserved = " and or not if else for in is lambda import from def class return yield with as assert del global pass raise try while "

func (p *parser) atom() (node, error) {
	t := p.peek()
	p.at++
	switch {
	case t.kind == 'n':
		v, err := literal(t.text)
		return constant(v), err
	case t.kind == 's':
		s := t.text
		for p.peek().kind == 's' { // adjacent strings are one
			s += p.peek().text
			p.at++
		}
		return constant(s), nil
	case t.kind == 'i':
		return word(t.text)
	case t.text == "(":
		return p.parenthesis()
	case t.text == "[":
		return p.bracket("]", false)
	case t.text == "{":
		return p.brace()
	}
	p.at--
	return nil, wrong("%s is not expected here", describe(t))
}

func constant(v Value) node { return func(*Env) (Value, error) { return v, nil } }

func word(name string) (node, error) {
	switch name {
	case "True":
		return constant(true), nil
	case "False":
		return constant(false), nil
	case "None":
		return constant(nil), nil
	}
	if strings.Contains(reserved, " "+name+" ") {
		return nil, wrong("%q is not expected here", name)
	}
	if strings.HasPrefix(name, "__") {
		return nil, wrong("the name %s is refused: it starts with two underscores", clip(name))
	}
	return func(e *Env) (Value, error) {
		if err := e.step(); err != nil {
			return nil, err
		}
		return e.name(name)
	}, nil
}

// parenthesis reads what stands in round brackets: an expression, a tuple, or a generator, which becomes a
// list.
func (p *parser) parenthesis() (node, error) {
	if p.accept(")") {
		return sequence(nil, true), nil
	}
	n, err := p.tuple()
	if err == nil && p.is("for") {
		n, err = p.comprehension(n)
	}
	if err != nil {
		return nil, err
	}
	return n, p.expect(")")
}

// bracket reads the items of a list.
func (p *parser) bracket(end string, tuple bool) (node, error) {
	var items []node
	for !p.accept(end) {
		n, err := p.expression()
		if err != nil {
			return nil, err
		}
		if len(items) == 0 && p.is("for") {
			if n, err = p.comprehension(n); err != nil {
				return nil, err
			}
			return n, p.expect(end)
		}
		items = append(items, n)
		if !p.is(end) {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
	}
	return sequence(items, tuple), nil
}

// sequence makes a list or tuple.
func sequence(items []node, tuple bool) node {
	return func(e *Env) (Value, error) {
		if err := e.Budget.Spend(itemCost * (1 + len(items))); err != nil {
			return nil, err
		}
		l := &List{Tuple: tuple}
		for _, n := range items {
			v, err := n(e)
			if err != nil {
				return nil, err
			}
			l.Items = append(l.Items, v)
		}
		return l, nil
	}
}

// brace reads a dictionary.
func (p *parser) brace() (node, error) {
	var keys, values []node
	for !p.accept("}") {
		k, err := p.expression()
		if err == nil {
			err = p.expect(":")
		}
		if err != nil {
			return nil, err
		}
		v, err := p.expression()
		if err != nil {
			return nil, err
		}
		keys, values = append(keys, k), append(values, v)
		if !p.is("}") {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
	}
	return func(e *Env) (Value, error) {
		d := &Dict{}
		for i := range keys {
			k, err := keys[i](e)
			if err != nil {
				return nil, err
			}
			v, err := values[i](e)
			if err != nil {
				return nil, err
			}
			if err := d.Set(k, v); err != nil {
				return nil, err
			}
		}
		return d, e.Budget.Spend(itemCost * len(keys))
	}, nil
}

// comprehension reads "for x in list if condition" behind what it makes of each.
func (p *parser) comprehension(item node) (node, error) {
	p.at++ // for
	var names []string
	for {
		t := p.peek()
		if t.kind != 'i' || strings.Contains(reserved, " "+t.text+" ") {
			return nil, wrong("%s found where the name of a variable is needed", describe(t))
		}
		names = append(names, t.text)
		if p.at++; !p.accept(",") {
			break
		}
	}
	if err := p.expect("in"); err != nil {
		return nil, err
	}
	from, err := p.either()
	if err != nil {
		return nil, err
	}
	test := constant(true)
	if p.accept("if") {
		if test, err = p.either(); err != nil {
			return nil, err
		}
	}
	if p.is("for") {
		return nil, wrong("a second for in a comprehension is not understood")
	}
	return gather(names, from, test, item), nil
}

func gather(names []string, from, test, item node) node {
	return func(e *Env) (Value, error) {
		v, err := from(e)
		if err != nil {
			return nil, err
		}
		items, err := iterate(e, v)
		if err != nil {
			return nil, err
		}
		out := &List{}
		defer func(n int) { e.locals = e.locals[:n] }(len(e.locals))
		base := len(e.locals)
		for _, it := range items {
			if e.locals, err = bind(e.locals[:base], names, it); err != nil {
				return nil, err
			}
			keep, err := test(e)
			if err != nil {
				return nil, err
			}
			if !Truth(keep) {
				continue
			}
			v, err := item(e)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, v)
			if err := e.Budget.Spend(itemCost); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}

// bind gives the variables of a comprehension their values.
func bind(locals []local, names []string, v Value) ([]local, error) {
	if len(names) == 1 {
		return append(locals, local{names[0], v}), nil
	}
	l, ok := v.(*List)
	if !ok || len(l.Items) != len(names) {
		return nil, wrong("cannot unpack %s into %d variables", clip(Repr(v)), len(names))
	}
	for i, name := range names {
		locals = append(locals, local{name, l.Items[i]})
	}
	return locals, nil
}
