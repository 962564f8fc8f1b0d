package webots

import (
	"bytes"
	"strings"

	"simdeck/sim/asset/vrml"
	"simdeck/sim/scene"
)

// HoldsModel reports whether a text holds a PROTO and no world.
func HoldsModel(data []byte) bool {
	if !saysProto(data) { // worlds are not read twice
		return false
	}
	text, err := vrml.Parse(data)
	return err == nil && len(text.Protos) > 0 && len(text.Nodes) == 0
}

// saysProto reports whether PROTO stands in a text as a word. A text may be tens of megabytes of numbers.
func saysProto(data []byte) bool {
	const proto = "PROTO"
	for rest := data; ; {
		at := bytes.Index(rest, []byte(proto))
		if at < 0 {
			return false
		}
		after := rest[at+len(proto):]
		if (at == 0 || !ofWord(rest[at-1])) && (len(after) == 0 || !ofWord(after[0])) {
			return true
		}
		rest = after
	}
}

// ofWord reports whether a byte is one of a word: EXTERNPROTO is one.
func ofWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// Glimpse classifies a text of Webots at first sight: "world", "robot" or "model" with its name, or nothing
// when it cannot stand alone. No other file is read.
func Glimpse(name string, data []byte) (kind, called string, info scene.Info) {
	text, err := vrml.Parse(data)
	if err != nil {
		return "", "", info
	}
	if len(text.Nodes) > 0 {
		called = stem(name)
		for _, n := range text.Nodes {
			if n.Type != "WorldInfo" {
				continue
			}
			if f := n.Field("title"); f != nil && len(f.Value.Strings) == 1 && f.Value.Strings[0] != "" {
				called = f.Value.Strings[0]
			}
			if f := n.Field("info"); f != nil {
				info.Description = strings.TrimSpace(strings.Join(f.Value.Strings, " "))
			}
		}
		return "world", called, info
	}
	if len(text.Protos) == 0 {
		return "", "", info
	}
	p := text.Protos[len(text.Protos)-1]
	first := ""
	switch {
	case p.Template != nil:
		first = firstNode(p.Template)
	case len(p.Body) > 0:
		first = p.Body[0].Type
	}
	switch baseNodes[first].role {
	case robot:
		return "robot", p.Name, info
	case solid, group, visual:
		return "model", p.Name, info
	}
	return "", "", info
}

// firstNode is the first node that the text of a template holds; empty: none.
func firstNode(t *vrml.Template) string {
	from, to := 0, 0 // the last word
	for c := (vrml.Chunks{Text: t.Text, Open: t.Open, Close: t.Close}); c.At < len(t.Text); {
		at := c.At
		kind, err := c.Next()
		switch b := t.Text[at]; {
		case err != nil:
			return ""
		case kind != vrml.Character || b == ' ' || b == '\t' || b == '\r' || b == '\n':
		case b == '{':
			return t.Text[from:to]
		case to < at:
			from, to = at, at+1
		default:
			to = at + 1
		}
	}
	return ""
}
