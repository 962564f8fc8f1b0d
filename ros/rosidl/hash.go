package rosidl

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// Hash is the RIHS01 type hash of the type of that full name, "RIHS01_" and 64 hexadecimal digits (REP 2011).
func (l *Library) Hash(name string) (string, error) {
	d, err := l.Description(name)
	if err != nil {
		return "", err
	}
	return d.Hash(), nil
}

// Hash is the RIHS01 hash of the described type: SHA-256 of its JSON text.
func (d *TypeDescription) Hash() string {
	sum := sha256.Sum256(d.AppendJSON(nil))
	return "RIHS01_" + hex.EncodeToString(sum[:])
}

// AppendJSON appends the description in the hashed spelling: one line, a blank after commas and colons, keys
// in fixed order, no defaults. Names are plain ASCII, so nothing needs an escape.
func (d *TypeDescription) AppendJSON(b []byte) []byte {
	b = append(b, `{"type_description": `...)
	b = d.Type.appendJSON(b)
	b = append(b, `, "referenced_type_descriptions": [`...)
	for i := range d.Referenced {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = d.Referenced[i].appendJSON(b)
	}
	return append(b, "]}"...)
}

func (d *IndividualTypeDescription) appendJSON(b []byte) []byte {
	b = append(b, `{"type_name": "`...)
	b = append(b, d.TypeName...)
	b = append(b, `", "fields": [`...)
	for i, f := range d.Fields {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, `{"name": "`...)
		b = append(b, f.Name...)
		b = append(b, `", "type": {"type_id": `...)
		b = strconv.AppendUint(b, uint64(f.TypeID), 10)
		b = append(b, `, "capacity": `...)
		b = strconv.AppendUint(b, f.Capacity, 10)
		b = append(b, `, "string_capacity": `...)
		b = strconv.AppendUint(b, f.StringCapacity, 10)
		b = append(b, `, "nested_type_name": "`...)
		b = append(b, f.NestedTypeName...)
		b = append(b, `"}}`...)
	}
	return append(b, "]}"...)
}
