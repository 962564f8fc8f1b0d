package mcap

import (
	"errors"
	"testing"
)

var errNoRoom = errors.New("no space left on device")

// small is a file on a disk with little room: of what does not fit the beginning is written.
type small struct {
	memory
	room int
}

func (s *small) WriteAt(b []byte, at int64) (int, error) {
	if fits := max(0, s.room-int(at)); fits < len(b) {
		n, _ := s.memory.WriteAt(b[:fits], at)
		return n, errNoRoom
	}
	return s.memory.WriteAt(b, at)
}

// written writes and seals until there is no room, and says how many messages the last seal had.
func written(t *testing.T, m *small) (w *Writer, sealed uint64, err error) {
	t.Helper()
	w, err = NewWriter(m, Header{Profile: "ros2", Library: "test"})
	if err != nil {
		return w, 0, err
	}
	for i := range 12 {
		if i%5 == 0 { // a topic comes
			s, _ := w.AddSchema("std_msgs/msg/String", "ros2msg", []byte("string data\n"))
			_, err = w.AddChannel(Channel{Schema: s, Topic: string(rune('a' + i)), Encoding: "cdr"})
		}
		for k := range 5 {
			if err == nil {
				err = w.Write(&Message{Channel: uint16(k % len(w.channels)), LogTime: uint64(5*i + k),
					Data: []byte{byte(k)}})
			}
		}
		if err == nil && i%3 == 2 {
			if err = w.Seal(Metadata{Name: "n", Table: map[string]string{"k": "v"}}); err == nil {
				sealed = uint64(5 * (i + 1))
			}
		} else if err == nil {
			err = w.Flush()
		}
	}
	return w, sealed, err
}

// TestAFileForWhichThereIsNoRoomHoldsWhatWasWrittenBefore breaks the disk everywhere.
func TestAFileForWhichThereIsNoRoomHoldsWhatWasWrittenBefore(t *testing.T) {
	all := &small{room: 1 << 20}
	if _, _, err := written(t, all); err != nil {
		t.Fatal(err)
	}
	header := len(magic) + len(appendHeader(nil, Header{Profile: "ros2", Library: "test"}))
	for room := header; room < len(all.b); room += 7 {
		m := &small{room: room}
		w, sealed, err := written(t, m)
		if !errors.Is(err, errNoRoom) {
			t.Fatalf("%d octets: %v", room, err)
		}
		r := m.reader(t)
		n := uint64(0)
		if err := r.Messages(0, func(*Message) error { n++; return nil }); err != nil {
			t.Fatalf("%d octets: %v", room, err)
		}
		if n < sealed || n != w.Statistics().Messages || n != r.Statistics.Messages ||
			len(r.Channels) > int(w.Statistics().Channels) {
			t.Errorf("%d octets: %d messages were sealed, %d are read, the writer counts %d and the file %d",
				room, sealed, n, w.Statistics().Messages, r.Statistics.Messages)
		}
		if n == sealed && sealed > 0 && r.Cut { // the index goes where the last one was
			t.Errorf("%d octets: the index of %d messages is lost", room, sealed)
		}
	}
}
