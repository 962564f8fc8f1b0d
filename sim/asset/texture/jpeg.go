package texture

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Bounds of a JPEG's cost to its decoder. A progressive one keeps four bytes for each sample between its
// scans over the whole picture. Each scan costs as much as a picture, however few bytes it has.
const (
	mostSamples = 28 << 20 // of a progressive one: 4096 × 4096 pixels with colours of half the resolution
	mostScans   = 100      // of any; encoders write ten
)

// Markers of segments (ITU-T T.81, table B.1).
const (
	jpegProgressive = 0xc2 // SOF2
	jpegImage       = 0xd8 // SOI; below it are the restarts, which have no length
	jpegEnd         = 0xd9 // EOI
	jpegScan        = 0xda // SOS
)

// checkJPEG refuses pictures that cost more than their size in pixels says.
func checkJPEG(data []byte) error {
	if n := bytes.Count(data, []byte{0xff, jpegScan}); n > mostScans {
		return fmt.Errorf("%w: it comes in %d scans, at most %d are read", ErrCorrupt, n, mostScans)
	}
	for at := 2; at+4 <= len(data); {
		marker := data[at+1]
		switch {
		// bytes between segments are skipped, as decoders do
		case data[at] != 0xff || marker == 0xff || marker == 0:
			at++
			continue
		case marker >= 0xd0 && marker <= jpegImage:
			at += 2
			continue
		case marker == jpegScan || marker == jpegEnd:
			return nil
		}
		size := int(binary.BigEndian.Uint16(data[at+2:]))
		if marker == jpegProgressive {
			return checkFrame(data[at+4 : min(len(data), at+2+max(size, 2))])
		}
		at += 2 + size
	}
	return nil
}

// checkFrame sums the samples of a progressive frame. It holds 8 bits of precision, height, width, and three
// bytes for each component, the second of which has the sampling factors.
func checkFrame(frame []byte) error {
	if len(frame) < 6 {
		return nil // the decoder says so
	}
	height, width := int64(binary.BigEndian.Uint16(frame[1:])), int64(binary.BigEndian.Uint16(frame[3:]))
	across, down := int64(1), int64(1)
	total := int64(0)
	for c := frame[6:]; len(c) >= 3; c = c[3:] {
		across, down = max(across, int64(c[1]>>4)), max(down, int64(c[1]&15))
		total += int64(c[1]>>4) * int64(c[1]&15)
	}
	if n := width * height * total / (across * down); n > mostSamples {
		return fmt.Errorf("%w: a progressive picture of %d samples, at most %d are read; a baseline one may be larger",
			ErrCorrupt, n, mostSamples)
	}
	return nil
}
