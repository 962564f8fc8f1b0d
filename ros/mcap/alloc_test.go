//go:build !race

package mcap

import "testing"

// nowhere is a file that keeps nothing.
type nowhere struct{}

func (nowhere) WriteAt(b []byte, _ int64) (int, error) { return len(b), nil }
func (nowhere) Truncate(int64) error                   { return nil }

func TestAMessageCostsNoAllocation(t *testing.T) {
	w := need[*Writer](t)(NewWriter(nowhere{}, Header{}))
	c := need[uint16](t)(w.AddChannel(Channel{Topic: "/a"}))
	m := Message{Channel: c, Data: make([]byte, 2000)}
	write := func() {
		m.LogTime++
		if err := w.Write(&m); err != nil {
			t.Fatal(err)
		}
	}
	for range 20_000 {
		write()
	}
	// A chunk's entries in the index are some allocations in 500 messages, which is none in one.
	if n := testing.AllocsPerRun(20_000, write); n != 0 {
		t.Errorf("%v allocations a message", n)
	}
}

func BenchmarkWrite(b *testing.B) {
	w := need[*Writer](b)(NewWriter(nowhere{}, Header{}))
	c := need[uint16](b)(w.AddChannel(Channel{Topic: "/a"}))
	m := Message{Channel: c, Data: make([]byte, 2000)}
	for i := range m.Data {
		m.Data[i] = byte(i * i / 7)
	}
	b.SetBytes(int64(len(m.Data)))
	b.ReportAllocs()
	for b.Loop() {
		m.LogTime++
		if err := w.Write(&m); err != nil {
			b.Fatal(err)
		}
	}
}
