package vrml

import "strings"

// proto reads a PROTO: its interface in brackets and its body in braces. Names of nodes inside are its own.
func (p *parser) proto() error {
	outside, within := p.defs, p.template
	p.defs, p.template = map[string]*Node{}, true
	defer func() { p.defs, p.template = outside, within }()
	out := &Proto{Pos: p.ahead.pos}
	if err := p.advance(); err != nil {
		return err
	}
	name, err := p.take(word, "the name of the PROTO")
	if err != nil {
		return err
	}
	out.Name = name.text
	if p.depth++; p.depth > maxDepth {
		return p.fail(name.pos, "PROTO inside PROTO deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	if err := p.fields(out); err != nil {
		return err
	}
	if p.ahead.kind == open {
		if made, err := p.made(); err != nil || made != nil {
			out.Template = made
			p.file.Protos = append(p.file.Protos, out)
			return err
		}
	}
	begin, err := p.take(open, "{")
	if err != nil {
		return err
	}
	for p.ahead.kind != closed {
		if p.ahead.kind == end {
			return p.fail(begin.pos, "the { of PROTO %s is never closed", clip(out.Name))
		}
		if p.ahead.kind == word && (p.ahead.text == "PROTO" || p.ahead.text == "EXTERNPROTO" ||
			p.ahead.text == "ROUTE") {
			if err := p.statement(); err != nil {
				return err
			}
			continue
		}
		n, err := p.node()
		if err != nil {
			return err
		}
		out.Body = append(out.Body, n)
	}
	p.file.Protos = append(p.file.Protos, out)
	return p.advance()
}

// fields reads the interface: field SFVec3f translation 0 0 0.
func (p *parser) fields(out *Proto) error {
	if _, err := p.take(openList, "[ with the fields of the PROTO"); err != nil {
		return err
	}
	for p.ahead.kind != closedList {
		access, err := p.take(word, "field, or the ] after the last one")
		if err != nil {
			return err
		}
		if !strings.HasSuffix(strings.ToLower(access.text), "field") && access.text != "eventIn" &&
			access.text != "eventOut" {
			return p.fail(access.pos, "%v, want field", access)
		}
		kind, err := p.take(word, "the type of a field")
		if err != nil {
			return err
		}
		if !strings.HasPrefix(kind.text, "SF") && !strings.HasPrefix(kind.text, "MF") {
			return p.fail(kind.pos, "%v is no type of a field", kind)
		}
		if p.ahead.kind == open { // the values that it may take
			if err := p.balanced(open, closed); err != nil {
				return err
			}
		}
		name, err := p.take(word, "the name of a field")
		if err != nil {
			return err
		}
		f := Field{Name: name.text, Kind: kind.text, Pos: name.pos}
		if err := p.part(f.Pos); err != nil {
			return err
		}
		if !strings.HasPrefix(access.text, "event") {
			if f.Value, err = p.value(&f); err != nil {
				return err
			}
		}
		out.Fields = append(out.Fields, f)
	}
	return p.advance()
}
