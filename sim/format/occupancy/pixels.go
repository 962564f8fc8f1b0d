package occupancy

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strconv"
)

// pixels is a picture as a table of its shades, and which of them each pixel has.
type pixels struct {
	width, height int
	shades        []float32 // brightness from 0 to 1
	// row writes where the pixels of a row, counted from the top, stand in shades; those that are not wholly
	// opaque get seeThrough
	row func(y int, index []int32)
}

// seeThrough stands for a pixel that is not wholly opaque.
const seeThrough = -1

// maxDecoded bounds a PNG once it is unpacked, in bytes: a small file may be a large picture.
const maxDecoded = 64 << 20

var errPicture = errors.New("it is no PGM (P2 or P5) and no PNG")

// decode reads a picture.
func decode(data []byte) (*pixels, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG")):
		return decodePNG(data)
	case bytes.HasPrefix(data, []byte("P5")), bytes.HasPrefix(data, []byte("P2")):
		return decodePGM(data)
	}
	return nil, errPicture
}

// sized makes the pixels of a picture whose header was read.
func sized(width, height, most int) (*pixels, error) {
	if width < 1 || height < 1 || width > maxPixels/height {
		return nil, fmt.Errorf("%d × %d pixels; at least 1 and at most %d in all are read", width, height,
			maxPixels)
	}
	p := &pixels{width: width, height: height, shades: make([]float32, most+1)}
	for i := range p.shades {
		p.shades[i] = float32(i) / float32(most)
	}
	return p, nil
}

func decodePNG(data []byte) (*pixels, error) {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	most := 255
	switch c.ColorModel {
	case color.Gray16Model, color.RGBA64Model, color.NRGBA64Model:
		most = 65535
	}
	p, err := sized(c.Width, c.Height, most)
	if err != nil {
		return nil, err
	}
	if size := depth(c.ColorModel); c.Width > maxDecoded/size/c.Height {
		return nil, fmt.Errorf("%d × %d pixels of %d bytes each; at most %d MB are unpacked", c.Width,
			c.Height, size, maxDecoded>>20)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	p.row = func(y int, index []int32) {
		for x := range index {
			index[x] = shade(img.At(img.Bounds().Min.X+x, img.Bounds().Min.Y+y), most)
		}
	}
	switch m := img.(type) {
	case *image.Gray:
		p.row = func(y int, index []int32) {
			for x, v := range m.Pix[y*m.Stride:][:p.width] {
				index[x] = int32(v)
			}
		}
	case *image.Paletted:
		var table [256]int32
		for i, c := range m.Palette {
			table[i] = shade(c, most)
		}
		p.row = func(y int, index []int32) {
			for x, v := range m.Pix[y*m.Stride:][:p.width] {
				index[x] = table[v]
			}
		}
	case *image.NRGBA:
		p.row = func(y int, index []int32) { mean(m.Pix[y*m.Stride:], index) }
	case *image.RGBA: // as package png gives only opaque ones
		p.row = func(y int, index []int32) { mean(m.Pix[y*m.Stride:], index) }
	}
	return p, nil
}

// depth is the number of bytes of an unpacked pixel.
func depth(m color.Model) int {
	switch m {
	case color.GrayModel:
		return 1
	case color.Gray16Model:
		return 2
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	}
	if _, ok := m.(color.Palette); ok {
		return 1
	}
	return 4
}

// mean is the shades of pixels of four bytes.
func mean(pix []uint8, index []int32) {
	for x := range index {
		q := pix[4*x : 4*x+4]
		if index[x] = (int32(q[0]) + int32(q[1]) + int32(q[2])) / 3; q[3] < 0xff {
			index[x] = seeThrough
		}
	}
}

// shade is the mean of a pixel's colours.
func shade(c color.Color, most int) int32 {
	n := color.NRGBA64Model.Convert(c).(color.NRGBA64)
	switch {
	case n.A < 0xffff:
		return seeThrough
	case most == 255:
		return (int32(n.R>>8) + int32(n.G>>8) + int32(n.B>>8)) / 3
	}
	return (int32(n.R) + int32(n.G) + int32(n.B)) / 3
}

// decodePGM reads netpbm's grey pictures, plain and raw, with any depth.
func decodePGM(data []byte) (*pixels, error) {
	r := &header{data: data, at: 2}
	var n [3]int
	for i := range n {
		v, err := r.number()
		if err != nil {
			return nil, fmt.Errorf("the header: %w", err)
		}
		n[i] = v
	}
	if n[2] < 1 || n[2] > 65535 {
		return nil, fmt.Errorf("a largest value of %d; want from 1 to 65535", n[2])
	}
	p, err := sized(n[0], n[1], n[2])
	if err != nil {
		return nil, err
	}
	count := p.width * p.height
	if data[1] == '2' {
		if count > len(data) {
			return nil, fmt.Errorf("%d pixels in %d bytes", count, len(data))
		}
		numbers := make([]uint16, count)
		for i := range numbers {
			v, err := r.number()
			if err != nil {
				return nil, fmt.Errorf("pixel %d: %w", i, err)
			}
			numbers[i] = uint16(min(v, n[2]))
		}
		p.row = func(y int, index []int32) {
			for x, v := range numbers[y*p.width:][:p.width] {
				index[x] = int32(v)
			}
		}
		return p, nil
	}
	bytesEach := 1
	if n[2] > 255 {
		bytesEach = 2
	}
	if r.at++; len(data)-r.at < count*bytesEach { // one blank ends the header
		return nil, fmt.Errorf("%d × %d pixels need %d bytes, %d are there", p.width, p.height,
			count*bytesEach, max(0, len(data)-r.at))
	}
	p.row = func(y int, index []int32) {
		for x := range index {
			at := r.at + (y*p.width+x)*bytesEach
			v := int32(data[at])
			if bytesEach == 2 {
				v = v<<8 | int32(data[at+1])
			}
			index[x] = min(v, int32(n[2]))
		}
	}
	return p, nil
}

// header walks the words of a PGM.
type header struct {
	data []byte
	at   int
}

// number reads the next one; comments from # to the end of the line are passed over.
func (h *header) number() (int, error) {
	for h.at < len(h.data) {
		switch c := h.data[h.at]; {
		case c == '#':
			end := bytes.IndexAny(h.data[h.at:], "\n\r")
			if end < 0 {
				return 0, errors.New("the file ends in a comment")
			}
			h.at += end
		case c == ' ' || c >= '\t' && c <= '\r':
			h.at++
		default:
			start := h.at
			for h.at < len(h.data) && h.data[h.at] >= '0' && h.data[h.at] <= '9' {
				h.at++
			}
			word := h.data[start:min(h.at, start+12)]
			v, err := strconv.Atoi(string(word))
			if err != nil || v > 1<<31-1 {
				return 0, fmt.Errorf("%q is no number of a PGM",
					clip(string(h.data[start:min(len(h.data), start+20)])))
			}
			return v, nil
		}
	}
	return 0, errors.New("the file ends too early")
}
