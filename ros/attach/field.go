package attach

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"simdeck/ros/msgs"
	"simdeck/sim/scene"
)

// ErrField is wrapped by every error about a field of a request that people
// gave.
var ErrField = errors.New("request")

// setFields writes "a.b=value" words into a message. Paths have the names of the definition with dots
// between. Text is taken as it stands, numbers may be nan, inf or the name of a constant, and lists and whole
// messages are JSON. A word that begins with { is the whole message.
func setFields(m msgs.Message, words []string, known constants) error {
	for _, word := range words {
		if strings.HasPrefix(word, "{") {
			if err := setJSON(reflect.ValueOf(m).Elem(), "", word, known); err != nil {
				return err
			}
			continue
		}
		path, text, ok := strings.Cut(word, "=")
		if !ok {
			return fmt.Errorf("%w: %q: want field=value; fields are %s", ErrField, word,
				strings.Join(fieldNames(reflect.TypeOf(m).Elem()), ", "))
		}
		v, own, err := fieldAt(reflect.ValueOf(m).Elem(), path)
		if err != nil {
			return err
		}
		if err := setText(v, path, text, known.of(own, path)); err != nil {
			if errors.Is(err, errJSON) {
				err = setJSON(v, path, text, known)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// fieldAt walks a dotted path; own is the struct in which it ends.
func fieldAt(v reflect.Value, path string) (field, own reflect.Value, err error) {
	whole := v
	for part := range strings.SplitSeq(path, ".") {
		if v.Kind() == reflect.Slice || v.Kind() == reflect.Array {
			return v, own, fmt.Errorf("%w: %s: %q is in a list, which is given as JSON: [...]", ErrField,
				path, part)
		}
		if v.Kind() != reflect.Struct {
			return v, own, fmt.Errorf("%w: %s: %q is in a %s, which has no fields", ErrField, path, part,
				kindName(v.Type()))
		}
		next := fieldOf(v, part)
		if !next.IsValid() {
			return v, own, unknownField(whole.Type(), v.Type(), path, part)
		}
		own, v = v, next
	}
	return v, own, nil
}

// fieldOf finds a field by the name in its definition.
func fieldOf(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("json") == name {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

// unknownField says what there is, and where a field of this name is.
func unknownField(whole, here reflect.Type, path, part string) error {
	err := fmt.Errorf("%w: %s: there is no field %q; there are %s", ErrField, path, part,
		strings.Join(fieldNames(here), ", "))
	if here.NumField() == 0 {
		return fmt.Errorf("%w: %s: the request has no fields", ErrField, path)
	}
	for _, leaf := range Leaves(whole) {
		if strings.HasSuffix(leaf, "."+part) {
			return fmt.Errorf("%w; did you mean %s?", err, leaf)
		}
	}
	if len(part) > 1 {
		return fmt.Errorf("%w%s", err, scene.DidYouMean(part, fieldNames(here)))
	}
	return err
}

func fieldNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		names = append(names, t.Field(i).Tag.Get("json"))
	}
	return names
}

// Leaves are the dotted paths of what can be set in a struct.
func Leaves(t reflect.Type) []string {
	var all []string
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("json")
		if f.Type.Kind() != reflect.Struct {
			all = append(all, name)
			continue
		}
		for _, below := range Leaves(f.Type) {
			all = append(all, name+"."+below)
		}
	}
	return all
}

// errJSON says that text alone cannot be the value.
var errJSON = errors.New("wants JSON")

// setText sets a scalar of text.
func setText(v reflect.Value, path, text string, names map[string]int64) error {
	wrong := func(want string) error {
		return fmt.Errorf("%w: %s: %q is no %s; want %s", ErrField, path, text, kindName(v.Type()), want)
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return wrong("true or false")
		}
		v.SetBool(b)
	case reflect.Float32, reflect.Float64:
		f, err := strconv.ParseFloat(text, v.Type().Bits())
		if err != nil {
			return wrong("a number, nan or inf")
		}
		v.SetFloat(f)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Int8, reflect.Int16,
		reflect.Int32, reflect.Int64:
		if n, ok := names[strings.ToUpper(text)]; ok {
			text = strconv.FormatInt(n, 10)
		}
		return setInteger(v, text, wrong(rangeOf(v.Type(), names)))
	default:
		return errJSON
	}
	return nil
}

func setInteger(v reflect.Value, text string, wrong error) error {
	if v.CanUint() {
		n, err := strconv.ParseUint(text, 10, v.Type().Bits())
		if err != nil {
			return wrong
		}
		v.SetUint(n)
		return nil
	}
	n, err := strconv.ParseInt(text, 10, v.Type().Bits())
	if err != nil {
		return wrong
	}
	v.SetInt(n)
	return nil
}

func rangeOf(t reflect.Type, names map[string]int64) string {
	text := "a whole number"
	if reflect.Zero(t).CanUint() {
		text += fmt.Sprintf(" from 0 to %d", uint64(math.MaxUint64)>>(64-t.Bits()))
	}
	if len(names) > 0 {
		text += " or one of " + strings.Join(byValue(names), ", ")
	}
	return text
}

// setJSON sets a list or message of JSON text.
func setJSON(v reflect.Value, path, text string, known constants) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	err := d.Decode(&value)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("there is more after its end")
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %q is no %s in JSON: %w", ErrField, path, text, kindName(v.Type()), err)
	}
	return assign(v, path, value, known, nil)
}

// assign puts a decoded JSON value into a field.
func assign(v reflect.Value, path string, value any, known constants, names map[string]int64) error {
	switch value := value.(type) {
	case map[string]any:
		if v.Kind() == reflect.Struct {
			return assignStruct(v, path, value, known)
		}
	case []any:
		if v.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), len(value), len(value)))
		}
		if v.Kind() == reflect.Slice || v.Kind() == reflect.Array && v.Len() == len(value) {
			for i, one := range value {
				if err := assign(v.Index(i), fmt.Sprintf("%s[%d]", path, i), one, known, names); err != nil {
					return err
				}
			}
			return nil
		}
	case string:
		if err := setText(v, path, value, names); !errors.Is(err, errJSON) {
			return err
		}
	case json.Number:
		if v.Kind() != reflect.String && v.Kind() != reflect.Bool {
			if err := setText(v, path, value.String(), names); !errors.Is(err, errJSON) {
				return err
			}
		}
	case bool:
		if v.Kind() == reflect.Bool {
			v.SetBool(value)
			return nil
		}
	}
	text, _ := json.Marshal(value)
	return fmt.Errorf("%w: %s: %s is no %s", ErrField, path, text, kindName(v.Type()))
}

func assignStruct(v reflect.Value, path string, value map[string]any, known constants) error {
	for _, name := range sortedKeys(value) {
		at := strings.TrimPrefix(path+"."+name, ".")
		field := fieldOf(v, name)
		if !field.IsValid() {
			return unknownField(v.Type(), v.Type(), at, name)
		}
		if err := assign(field, at, value[name], known, known.of(v, name)); err != nil {
			return err
		}
	}
	return nil
}

// kindName is the name of a type for people.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return "list"
	case reflect.Struct:
		return "message"
	}
	return t.Kind().String()
}
