package rosidl

import (
	"fmt"
	"maps"
	"slices"
)

// TypeDescription is a type with all it refers to: the contents of
// type_description_interfaces/msg/TypeDescription.
type TypeDescription struct {
	Type       IndividualTypeDescription
	Referenced []IndividualTypeDescription // sorted by name
}

// IndividualTypeDescription is one type of a TypeDescription.
type IndividualTypeDescription struct {
	TypeName string
	Fields   []FieldDescription
}

// FieldDescription is one field of a type.
type FieldDescription struct {
	Name           string
	TypeID         uint8  // type_description_interfaces/msg/FieldType
	Capacity       uint64 // of an array or bounded sequence, elements
	StringCapacity uint64 // of a bounded string
	NestedTypeName string
	DefaultValue   string // as the definition writes it; not part of the hash
}

// placeholder is the field that an empty type has on the wire and in its description, since IDL knows no
// empty struct.
const placeholder = "structure_needs_at_least_one_member"

// Description describes the type of that full name: a message, a service or action as a whole, or one of
// their parts. An unknown type is an error that wraps ErrUnknown.
func (l *Library) Description(name string) (*TypeDescription, error) {
	s, ok := l.structs[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, ErrUnknown)
	}
	found := map[string]*Struct{}
	if err := l.collect(s, found); err != nil {
		return nil, err
	}
	delete(found, name)
	d := &TypeDescription{Type: describe(s)}
	for _, other := range slices.Sorted(maps.Keys(found)) {
		d.Referenced = append(d.Referenced, describe(found[other]))
	}
	return d, nil
}

// collect finds all types that s refers to, directly or not.
func (l *Library) collect(s *Struct, found map[string]*Struct) error {
	for _, f := range s.Fields {
		if f.Type.Base != Nested || found[f.Type.Name] != nil {
			continue
		}
		other, ok := l.structs[f.Type.Name]
		if !ok {
			return &Error{place(s, f), fmt.Sprintf("field %s of %s is of type %s", f.Name, s.Name,
				f.Type.Name), ErrUnknown}
		}
		found[f.Type.Name] = other
		if err := l.collect(other, found); err != nil {
			return err
		}
	}
	return nil
}

func describe(s *Struct) IndividualTypeDescription {
	d := IndividualTypeDescription{TypeName: s.Name}
	for _, f := range s.Fields {
		d.Fields = append(d.Fields, FieldDescription{
			Name:           f.Name,
			TypeID:         f.Type.ID(),
			Capacity:       uint64(f.Type.Size),
			StringCapacity: uint64(f.Type.StringBound),
			NestedTypeName: f.Type.Name,
			DefaultValue:   f.DefaultText,
		})
	}
	if len(d.Fields) == 0 {
		d.Fields = []FieldDescription{{Name: placeholder, TypeID: uint8(Uint8)}}
	}
	return d
}
