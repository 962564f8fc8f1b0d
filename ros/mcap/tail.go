package mcap

import "hash/crc32"

// tail is the part of a whole file behind its chunks: metadata, the end of the data, the summary and the
// footer.
func (w *Writer) tail(tables []Metadata) []byte {
	at := uint64(w.Size())
	var b []byte
	var where []metadataIndex
	for _, t := range tables {
		from := len(b)
		b = appendMetadata(b, t)
		where = append(where, metadataIndex{at + uint64(from), uint64(len(b) - from), t.Name})
	}
	crc := crc32.Update(crc32.Update(w.crc, crc32.IEEETable, w.out), crc32.IEEETable, b)
	b = appendDataEnd(b, crc)
	summary := len(b)
	b, groups := w.summary(b, at, where)
	f := footer{summary: at + uint64(summary), offsets: at + uint64(len(b))}
	for _, g := range groups {
		b = appendSummaryOffset(b, g)
	}
	from := len(b)
	b = appendFooter(b, f)
	f.crc = crc32.ChecksumIEEE(b[summary : len(b)-4])
	b = appendFooter(b[:from], f)
	return append(b, magic...)
}

// summary appends the records by kind and tells where each kind is, in a file in which b begins at at.
func (w *Writer) summary(b []byte, at uint64, where []metadataIndex) ([]byte, []summaryOffset) {
	var groups []summaryOffset
	group := func(op byte, add func()) {
		from := len(b)
		if add(); len(b) > from {
			groups = append(groups, summaryOffset{op, at + uint64(from), uint64(len(b) - from)})
		}
	}
	group(opSchema, func() {
		for _, s := range w.schemas {
			b = appendSchema(b, s)
		}
	})
	group(opChannel, func() {
		for _, c := range w.channels {
			b = appendChannel(b, c)
		}
	})
	group(opStatistics, func() {
		s := w.Statistics()
		s.Meta = uint32(len(where))
		b = appendStatistics(b, s)
	})
	group(opMetadataIndex, func() {
		for _, i := range where {
			b = appendMetadataIndex(b, i)
		}
	})
	group(opChunkIndex, func() {
		for _, i := range w.chunks {
			b = appendChunkIndex(b, i)
		}
	})
	return b, groups
}
