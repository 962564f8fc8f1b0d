package msgs_test

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"testing"

	"simdeck/ros/msgs"
)

// FuzzDecode reads any payload as any type: nothing panics, and what is accepted can be written, and is then
// the same.
func FuzzDecode(f *testing.F) {
	keys := slices.Sorted(maps.Keys(registry))
	for _, v := range vectors(f) {
		if v.Case != "full" {
			continue
		}
		_, payload := v.message(f)
		f.Add(uint16(slices.Index(keys, v.key())), payload)
	}
	f.Fuzz(func(t *testing.T, which uint16, payload []byte) {
		m := registry[keys[int(which)%len(keys)]]()
		if msgs.Decode(payload, m) != nil {
			return
		}
		first := encode(t, m)
		again := reflect.New(reflect.TypeOf(m).Elem()).Interface().(msgs.Message)
		if err := msgs.Decode(first, again); err != nil {
			t.Fatalf("%s: what was accepted and written again is refused: %v", m.TypeName(), err)
		}
		if second := encode(t, again); !bytes.Equal(first, second) {
			t.Fatalf("%s: %x became %x", m.TypeName(), first, second)
		}
	})
}
