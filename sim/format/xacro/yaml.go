package xacro

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/asset"
	"simdeck/sim/format/xacro/expr"
)

// maxYAML bounds a file of values; maxYAMLDepth how deep its values stand inside each other.
const maxYAML, maxYAMLDepth = 4 << 20, 100

// yaml reads a file of values.
func (x *expander) yaml(uri string) (expr.Value, error) {
	if x.includes++; x.includes > maxIncludes {
		return nil, fmt.Errorf("more than %d files", maxIncludes)
	}
	f, err := x.files.Values(uri, x.here().ref)
	if err != nil {
		return nil, err
	}
	if len(f.Data) > maxYAML {
		return nil, fmt.Errorf("%s: %w: %d bytes, at most %d are read", f.Name, asset.ErrTooLarge,
			len(f.Data), maxYAML)
	}
	if err := x.budget.Spend(len(f.Data)); err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(f.Data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	v, err := x.yamlValue(&doc, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return v, nil
}

func (x *expander) yamlValue(n *yaml.Node, depth int) (expr.Value, error) {
	if err := x.budget.Spend(64 + len(n.Value)); err != nil {
		return nil, err
	}
	if depth > maxYAMLDepth {
		return nil, fmt.Errorf("%d:%d: nested deeper than %d", n.Line, n.Column, maxYAMLDepth)
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return x.yamlValue(n.Content[0], depth+1)
	case yaml.AliasNode:
		return x.yamlValue(n.Alias, depth+1)
	case yaml.SequenceNode:
		l := &expr.List{}
		for _, k := range n.Content {
			v, err := x.yamlValue(k, depth+1)
			if err != nil {
				return nil, err
			}
			l.Items = append(l.Items, v)
		}
		return l, nil
	case yaml.MappingNode:
		return x.yamlMap(n, depth)
	case yaml.ScalarNode:
		v, err := x.scalar(n)
		if err != nil {
			return nil, fmt.Errorf("%d:%d: %w", n.Line, n.Column, err)
		}
		return v, nil
	}
	return nil, nil // an empty file
}

func (x *expander) yamlMap(n *yaml.Node, depth int) (expr.Value, error) {
	d := &expr.Dict{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		v, err := x.yamlValue(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		if n.Content[i].Tag == "!!merge" {
			x.merge(d, v)
			continue
		}
		k, err := x.yamlValue(n.Content[i], depth+1)
		if err == nil {
			err = d.Set(k, v)
		}
		if err != nil {
			return nil, fmt.Errorf("%d:%d: %w", n.Content[i].Line, n.Content[i].Column, err)
		}
	}
	return d, nil
}

// merge takes over the keys of "<<" that are not given.
func (x *expander) merge(d *expr.Dict, v expr.Value) {
	from, ok := v.(*expr.Dict)
	if !ok {
		return
	}
	for _, k := range from.Keys() {
		if _, known := d.Get(k); !known {
			value, _ := from.Get(k)
			_ = d.Set(k, value)
		}
	}
}

// units of the tags that xacro adds to YAML, in metres and radians.
var units = map[string]float64{"!radians": 1, "!degrees": math.Pi / 180, "!meters": 1, "!millimeters": 0.001,
	"!foot": 0.3048, "!inches": 0.0254}

var errUnit = errors.New("is no number behind a unit")

// scalar is one value: YAML 1.1 as Python reads it, with the units of xacro.
func (x *expander) scalar(n *yaml.Node) (expr.Value, error) {
	if unit, ok := units[n.Tag]; ok {
		e := &expr.Env{Lookup: func(name string) (expr.Value, error) { return x.value(&scope{}, name) },
			Budget: x.budget}
		v, err := expr.Eval(n.Value, e)
		if err != nil {
			return nil, err
		}
		f, err := strconv.ParseFloat(expr.Str(v), 64)
		if err != nil {
			return nil, fmt.Errorf("%q %w", clip(n.Value), errUnit)
		}
		return f * unit, nil
	}
	plain := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if plain && n.Tag != "!!str" || plain && n.Style&yaml.TaggedStyle == 0 {
		switch strings.ToLower(n.Value) {
		case "true", "yes", "on":
			return true, nil
		case "false", "no", "off":
			return false, nil
		}
	}
	switch n.Tag {
	case "!!null":
		return nil, nil
	case "!!int":
		i, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 0, 64)
		if err != nil {
			return nil, fmt.Errorf("%q has more than 64 bits", clip(n.Value))
		}
		return i, nil
	case "!!float":
		var f float64
		if err := n.Decode(&f); err != nil {
			return nil, err
		}
		return f, nil
	}
	return n.Value, nil
}
