package mcap

// mark is the part of a Writer's state that is in the file.
type mark struct {
	schemas, channels, chunks int
	counts                    []uint64
	stats                     Statistics
	tables                    []Metadata // of the last Seal
}

// keep notes that all is in the file.
func (w *Writer) keep() {
	w.kept.schemas, w.kept.channels, w.kept.chunks = len(w.schemas), len(w.channels), len(w.chunks)
	w.kept.counts, w.kept.stats = append(w.kept.counts[:0], w.counts...), w.stats
}

// goBack gives up what did not get into the file, and puts an index behind what did. Where there is no room
// for that either, the file ends with its last whole chunk, which readers find by scanning it.
func (w *Writer) goBack() {
	w.schemas, w.channels, w.chunks = w.schemas[:w.kept.schemas], w.channels[:w.kept.channels],
		w.chunks[:w.kept.chunks]
	clear(w.counts)
	copy(w.counts, w.kept.counts)
	w.stats, w.out, w.records, w.filled = w.kept.stats, nil, nil, false
	if w.at == 0 {
		return
	}
	tail := w.tail(w.kept.tables)
	end := w.at + int64(len(tail))
	if _, err := w.file.WriteAt(tail, w.at); err != nil {
		end = w.at
	}
	_ = w.file.Truncate(end) // the error that is told is the first one
}
