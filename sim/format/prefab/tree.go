package prefab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Bounds of a document.
const (
	maxDepth  = 100
	maxValues = 300_000
)

// value is one of JSON, with the place where it stands; patches change it.
type value struct {
	at   int64 // where it ends in its text
	text string
	num  float64
	kind byte // '{' and '[', 's' text, 'n' number, 'b' truth, '0' null
	keys []string
	kids []*value
}

// parse reads JSON. Errors wrap scene.ErrParse and say line and column.
func parse(name string, data []byte) (*value, error) {
	p := &parser{dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	v, err := p.value(0)
	if err == nil {
		if _, more := p.dec.Token(); more != io.EOF {
			err = fmt.Errorf("text after the document")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s:%w", scene.ErrParse, name,
			source.JSONError(data, p.dec.InputOffset(), err))
	}
	return v, nil
}

type parser struct {
	dec  *json.Decoder
	made int
}

// token is the next one; a text that ends before it is an error.
func (p *parser) token() (json.Token, error) {
	t, err := p.dec.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return t, err
}

func (p *parser) value(depth int) (*value, error) {
	token, err := p.token()
	if err != nil {
		return nil, err
	}
	if p.made++; depth > maxDepth || p.made > maxValues {
		return nil, fmt.Errorf("deeper than %d or more than %d values", maxDepth, maxValues)
	}
	v := &value{at: p.dec.InputOffset()}
	switch t := token.(type) {
	case string:
		v.kind, v.text = 's', t
	case json.Number:
		v.kind = 'n'
		if v.num, err = source.ParseFloat(t.String()); err != nil {
			return nil, err
		}
		if math.Abs(v.num) > source.MostNumber {
			return nil, fmt.Errorf("%.40s… is no finite number of at most %g", t, source.MostNumber)
		}
	case bool:
		v.kind = 'b'
		if t {
			v.num = 1
		}
	case nil:
		v.kind = '0'
	case json.Delim:
		v.kind = byte(t)
		for p.dec.More() {
			if v.kind == '{' {
				key, err := p.token()
				if err != nil {
					return nil, err
				}
				v.keys = append(v.keys, key.(string)) // the decoder takes nothing else for a key
			}
			kid, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			v.kids = append(v.kids, kid)
		}
		if _, err := p.token(); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// get is the value under nested keys; nil when one is missing. Safe on nil.
func (v *value) get(keys ...string) *value {
	for _, key := range keys {
		if v == nil || v.kind != '{' {
			return nil
		}
		i := slices.Index(v.keys, key)
		if i < 0 {
			return nil
		}
		v = v.kids[i]
	}
	return v
}

func (v *value) str(keys ...string) string {
	if k := v.get(keys...); k != nil {
		return k.text
	}
	return ""
}

// number is otherwise where there is none.
func (v *value) number(otherwise float64, keys ...string) float64 {
	if k := v.get(keys...); k != nil && k.kind == 'n' {
		return k.num
	}
	return otherwise
}

func (v *value) flag(otherwise bool, keys ...string) bool {
	if k := v.get(keys...); k != nil && k.kind == 'b' {
		return k.num != 0
	}
	return otherwise
}

// numbers are those of a list; what is left out is as in otherwise.
func (v *value) numbers(otherwise []float64, keys ...string) []float64 {
	out := slices.Clone(otherwise)
	if k := v.get(keys...); k != nil && k.kind == '[' {
		for i := range min(len(out), len(k.kids)) {
			if k.kids[i].kind == 'n' {
				out[i] = k.kids[i].num
			}
		}
	}
	return out
}

func (v *value) vec(otherwise r3.Vec, keys ...string) r3.Vec {
	f := v.numbers([]float64{otherwise.X, otherwise.Y, otherwise.Z}, keys...)
	return r3.V(f[0], f[1], f[2])
}

// patch does one operation of JSON Patch (RFC 6902) of those that O3DE writes: add, replace, remove. Members
// that a document omits as defaults are created on the way.
func (v *value) patch(op *value) error {
	parts := strings.Split(op.str("path"), "/")
	for i := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(parts[i], "~1", "/"), "~0", "~")
	}
	if len(parts) < 2 || parts[0] != "" || len(parts) > maxDepth {
		return fmt.Errorf("path %.100q begins with / and names something", op.str("path"))
	}
	at := v
	for _, key := range parts[1 : len(parts)-1] {
		next := at.child(key)
		if next == nil {
			next = at.put(key, &value{kind: '{'})
		}
		if next == nil {
			return fmt.Errorf("path %.100q leads nowhere", op.str("path"))
		}
		at = next
	}
	last := parts[len(parts)-1]
	switch op.str("op") {
	case "remove":
		at.drop(last)
	case "add", "replace":
		if new := op.get("value"); new == nil || at.put(last, new) == nil {
			return fmt.Errorf("path %.100q leads nowhere, or no value", op.str("path"))
		}
	default:
		return fmt.Errorf("operation %.40q; add, replace and remove are known", op.str("op"))
	}
	return nil
}

// index is the index of a key; -1 when it is missing.
func (v *value) index(key string) int {
	if v.kind == '{' {
		return slices.Index(v.keys, key)
	}
	if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(v.kids) && v.kind == '[' {
		return i
	}
	return -1
}

func (v *value) child(key string) *value {
	if i := v.index(key); i >= 0 {
		return v.kids[i]
	}
	return nil
}

// put sets a member; of a list it may be the next. An object that was just made becomes a list of three by a
// number.
func (v *value) put(key string, new *value) *value {
	i := v.index(key)
	n, err := strconv.Atoi(key)
	switch {
	case i >= 0:
		v.kids[i] = new
	case v.kind == '{' && len(v.keys) == 0 && err == nil && n >= 0 && n < 3: // of Translate, Rotate or a size
		*v = value{kind: '[', kids: []*value{{kind: '0'}, {kind: '0'}, {kind: '0'}}}
		v.kids[n] = new
	case v.kind == '{':
		v.keys, v.kids = append(v.keys, key), append(v.kids, new)
	case v.kind == '[' && (key == "-" || err == nil && n == len(v.kids)):
		v.kids = append(v.kids, new)
	default:
		return nil
	}
	return new
}

func (v *value) drop(key string) {
	i := v.index(key)
	if i < 0 {
		return
	}
	v.kids = slices.Delete(v.kids, i, i+1)
	if v.kind == '{' {
		v.keys = slices.Delete(v.keys, i, i+1)
	}
}
