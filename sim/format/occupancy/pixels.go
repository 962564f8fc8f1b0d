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
	index         []uint16  // into shades, row by row from the top
	clear         []bool    // pixels that are not wholly opaque; nil: none
}

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
		return nil, fmt.Errorf("%d × %d pixels; at least 1 and at most %d in all are read", width, height, maxPixels)
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
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	p.index = make([]uint16, p.width*p.height)
	if g, ok := img.(*image.Gray); ok {
		for y := range p.height {
			for x, v := range g.Pix[y*g.Stride:][:p.width] {
				p.index[y*p.width+x] = uint16(v)
			}
		}
		return p, nil
	}
	for y := range p.height {
		for x := range p.width {
			p.put(y*p.width+x, img.At(img.Bounds().Min.X+x, img.Bounds().Min.Y+y), most)
		}
	}
	return p, nil
}

// put keeps a pixel: the mean of its colours.
func (p *pixels) put(at int, c color.Color, most int) {
	n := color.NRGBA64Model.Convert(c).(color.NRGBA64)
	mean := (int(n.R) + int(n.G) + int(n.B)) / 3
	if most == 255 {
		mean = (int(n.R>>8) + int(n.G>>8) + int(n.B>>8)) / 3
	}
	p.index[at] = uint16(mean)
	if n.A < 0xffff {
		if p.clear == nil {
			p.clear = make([]bool, len(p.index))
		}
		p.clear[at] = true
	}
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
		return nil, fmt.Errorf("a largest value of %d; from 1 to 65535 is right", n[2])
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
		p.index = make([]uint16, count)
		for i := range p.index {
			v, err := r.number()
			if err != nil {
				return nil, fmt.Errorf("pixel %d: %w", i, err)
			}
			p.index[i] = uint16(min(v, n[2]))
		}
		return p, nil
	}
	bytesEach := 1
	if n[2] > 255 {
		bytesEach = 2
	}
	if r.at++; len(data)-r.at < count*bytesEach { // one blank ends the header
		return nil, fmt.Errorf("%d × %d pixels need %d bytes, %d are there", p.width, p.height, count*bytesEach, max(0, len(data)-r.at))
	}
	p.index = make([]uint16, count)
	for i := range p.index {
		v := int(data[r.at+i*bytesEach])
		if bytesEach == 2 {
			v = v<<8 | int(data[r.at+2*i+1])
		}
		p.index[i] = uint16(min(v, n[2]))
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
				return 0, fmt.Errorf("%q is no number of a PGM", clip(string(h.data[start:min(len(h.data), start+20)])))
			}
			return v, nil
		}
	}
	return 0, errors.New("the file ends too early")
}
