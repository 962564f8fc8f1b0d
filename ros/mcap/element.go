package mcap

import "encoding/binary"

func appendHeader(b []byte, h Header) []byte {
	b, at := begin(b, opHeader)
	return end(appendText(appendText(b, h.Profile), h.Library), at)
}

func parseHeader(b []byte) (Header, error) {
	c := cursor{b: b}
	h := Header{Profile: c.text(), Library: c.text()}
	return h, c.done("the header")
}

func appendSchema(b []byte, s Schema) []byte {
	b, at := begin(b, opSchema)
	b = binary.LittleEndian.AppendUint16(b, s.ID)
	b = appendText(appendText(b, s.Name), s.Encoding)
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(s.Data))), s.Data...)
	return end(b, at)
}

func parseSchema(b []byte) (Schema, error) {
	c := cursor{b: b}
	s := Schema{ID: c.u16(), Name: c.text(), Encoding: c.text()}
	s.Data = append([]byte{}, c.take(uint64(c.u32()))...)
	return s, c.done("a schema")
}

func appendChannel(b []byte, ch Channel) []byte {
	b, at := begin(b, opChannel)
	b = binary.LittleEndian.AppendUint16(b, ch.ID)
	b = binary.LittleEndian.AppendUint16(b, ch.Schema)
	return end(appendTable(appendText(appendText(b, ch.Topic), ch.Encoding), ch.Metadata), at)
}

func parseChannel(b []byte) (Channel, error) {
	c := cursor{b: b}
	ch := Channel{ID: c.u16(), Schema: c.u16(), Topic: c.text(), Encoding: c.text(), Metadata: c.table()}
	return ch, c.done("a channel")
}

// messageHead is the size of a message's record before its data.
const messageHead = 2 + 4 + 8 + 8

func appendMessage(b []byte, m *Message) []byte {
	b, at := begin(b, opMessage)
	b = binary.LittleEndian.AppendUint16(b, m.Channel)
	b = binary.LittleEndian.AppendUint32(b, m.Sequence)
	b = binary.LittleEndian.AppendUint64(b, m.LogTime)
	b = binary.LittleEndian.AppendUint64(b, m.PublishTime)
	return end(append(b, m.Data...), at)
}

// parseMessage leaves the data where it is.
func parseMessage(b []byte) (Message, error) {
	c := cursor{b: b}
	m := Message{Channel: c.u16(), Sequence: c.u32(), LogTime: c.u64(), PublishTime: c.u64()}
	m.Data = c.b
	return m, c.done("a message")
}

func appendMetadata(b []byte, m Metadata) []byte {
	b, at := begin(b, opMetadata)
	return end(appendTable(appendText(b, m.Name), m.Table), at)
}

func parseMetadata(b []byte) (Metadata, error) {
	c := cursor{b: b}
	m := Metadata{Name: c.text(), Table: c.table()}
	return m, c.done("metadata")
}

func appendMetadataIndex(b []byte, i metadataIndex) []byte {
	b, at := begin(b, opMetadataIndex)
	b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, i.at), i.size)
	return end(appendText(b, i.name), at)
}

func parseMetadataIndex(b []byte) (metadataIndex, error) {
	c := cursor{b: b}
	i := metadataIndex{c.u64(), c.u64(), c.text()}
	return i, c.done("an index of metadata")
}

func appendStatistics(b []byte, s Statistics) []byte {
	b, at := begin(b, opStatistics)
	b = binary.LittleEndian.AppendUint64(b, s.Messages)
	b = binary.LittleEndian.AppendUint16(b, s.Schemas)
	for _, n := range [...]uint32{s.Channels, s.Attachments, s.Meta, s.Chunks} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, s.Start), s.End)
	return end(appendCounts(b, s.Of), at)
}

func parseStatistics(b []byte) (Statistics, error) {
	c := cursor{b: b}
	s := Statistics{Messages: c.u64(), Schemas: c.u16(), Channels: c.u32(), Attachments: c.u32(),
		Meta: c.u32(), Chunks: c.u32(),
		Start: c.u64(), End: c.u64(), Of: c.counts()}
	return s, c.done("the statistics")
}

func appendChunkIndex(b []byte, i chunkIndex) []byte {
	b, at := begin(b, opChunkIndex)
	for _, n := range [...]uint64{i.start, i.end, i.at, i.size} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = binary.LittleEndian.AppendUint64(appendCounts(b, i.indexes), i.indexSize)
	b = appendText(b, i.compression)
	return end(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, i.compressed),
		i.unpacked), at)
}

func parseChunkIndex(b []byte) (chunkIndex, error) {
	c := cursor{b: b}
	i := chunkIndex{start: c.u64(), end: c.u64(), at: c.u64(), size: c.u64(), indexes: c.counts(),
		indexSize:   c.u64(),
		compression: c.text(), compressed: c.u64(), unpacked: c.u64()}
	return i, c.done("an index of a chunk")
}

func appendChunk(b []byte, k chunk) []byte {
	b, at := beginChunk(b, k)
	return endChunk(append(b, k.records...), at)
}

// beginChunk appends a chunk up to its records, which are to be appended before endChunk.
func beginChunk(b []byte, k chunk) (_ []byte, at int) {
	b, at = begin(b, opChunk)
	for _, n := range [...]uint64{k.start, k.end, k.unpacked} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = appendText(binary.LittleEndian.AppendUint32(b, k.crc), k.compression)
	return append(b, 0, 0, 0, 0, 0, 0, 0, 0), at
}

func endChunk(b []byte, at int) []byte {
	const before = 8 + 8 + 8 + 4 + 4 // the name of the compression follows
	name := binary.LittleEndian.Uint32(b[at+before-4:])
	records := at + before + int(name) + 8
	binary.LittleEndian.PutUint64(b[records-8:], uint64(len(b)-records))
	return end(b, at)
}

// parseChunk leaves the records where they are.
func parseChunk(b []byte) (chunk, error) {
	c := cursor{b: b}
	k := chunk{start: c.u64(), end: c.u64(), unpacked: c.u64(), crc: c.u32(), compression: c.text()}
	k.records = c.take(c.u64())
	return k, c.done("a chunk")
}

func appendFooter(b []byte, f footer) []byte {
	b, at := begin(b, opFooter)
	b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, f.summary), f.offsets)
	return end(binary.LittleEndian.AppendUint32(b, f.crc), at)
}

func parseFooter(b []byte) (footer, error) {
	c := cursor{b: b}
	f := footer{c.u64(), c.u64(), c.u32()}
	return f, c.done("the footer")
}

func appendSummaryOffset(b []byte, s summaryOffset) []byte {
	b, at := begin(b, opSummaryOffset)
	b = append(b, s.op)
	return end(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, s.at), s.size), at)
}

func appendDataEnd(b []byte, crc uint32) []byte {
	b, at := begin(b, opDataEnd)
	return end(binary.LittleEndian.AppendUint32(b, crc), at)
}
