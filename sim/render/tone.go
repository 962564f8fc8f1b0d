package render

// toneKnee is from where on brightness is pressed together, so that what is lit
// more than fully still differs.
const toneKnee = 0.75

// toneSteps is the number of the table's brightnesses up to 1, and tonesTo its greatest brightness.
const (
	toneSteps = 2048
	tonesTo   = 4
)

// tones are the bytes of brightnesses; they never change.
var tones = func() (t [tonesTo * toneSteps]uint8) {
	for i := range t {
		t[i] = byteOf(float32((float32(i) + 0.5) / toneSteps))
	}
	return t
}()

// byteOf is a brightness as pictures have it.
func byteOf(f float32) uint8 {
	switch {
	case !(f > 0):
		return 0
	case f > 1e6:
		return 255
	case f > toneKnee:
		over := float32((f - toneKnee) * (1 / (1 - toneKnee)))
		f = toneKnee + float32((1-toneKnee)*float32(over/(1+over)))
	}
	return uint8(float32(f*255) + 0.5)
}

// toneOf is byteOf, to a step.
func toneOf(f float32) uint8 {
	if i := uint32(int32(f * toneSteps)); i < uint32(len(tones)) {
		return tones[i]
	}
	return byteOf(f)
}

// bytesOf writes colours as a picture has them.
func bytesOf(from []colour, into []uint8) {
	into = into[:3*len(from)]
	for i := range from {
		c := &from[i]
		into[3*i], into[3*i+1], into[3*i+2] = toneOf(c.r), toneOf(c.g), toneOf(c.b)
	}
}
