package rtps

import (
	"testing"
	"time"
)

func TestALargeOwnedPayloadIsSentFromWhereItLiesAndUsedAgain(t *testing.T) {
	x := newWired(t, QoS{Reliability: Reliable, Depth: 1})
	var first *byte
	for i := range 5 {
		b := append(x.a.pool.get(100_000)[:0], 0, 1, 0, 0)
		b = append(b, make([]byte, 90_000)...)
		b[50_000] = byte(i)
		at := &b[0]
		if i == 0 {
			first = at
		} else if at != first {
			t.Errorf("sample %d lies in other memory: what was sent was not used again", i)
		}
		if _, err := x.a.write(x.w, b, &WriteOptions{Owned: true}, x.now); err != nil {
			t.Fatal(err)
		}
		if h := x.w.hist.find(x.w.last); &h.payload[0] != at {
			t.Errorf("sample %d was copied", i)
		}
		for range 20 {
			x.step(5 * time.Millisecond)
		}
		if s, ok := x.b.take(x.r, x.now); !ok || len(s.Payload) != 90_004 || s.Payload[50_000] != byte(i) {
			t.Fatalf("sample %d: %v, %d octets", i, ok, len(s.Payload))
		}
	}
}

func TestAnOwnedPayloadThatNobodyWantsGoesBack(t *testing.T) {
	x := newWired(t, QoS{Reliability: Reliable, Depth: 1})
	w, err := x.a.newWriter(WriterConfig{Topic: "rt/nobody", Type: "T"}, x.now)
	if err != nil {
		t.Fatal(err)
	}
	b := x.a.pool.get(5000)
	copy(b, []byte{0, 1, 0, 0})
	if _, err := x.a.write(w, b, &WriteOptions{Owned: true}, x.now); err != nil {
		t.Fatal(err)
	}
	if again := x.a.pool.get(5000); &again[0] != &b[0] {
		t.Error("its memory is not used again")
	}
}
