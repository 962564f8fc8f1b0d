package texture

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
)

// greymap is the header of a PGM (netpbm, "pgm", 2016).
type greymap struct {
	plain               bool // numbers as text
	width, height, most int
}

func configPGM(r io.Reader) (image.Config, error) {
	g, err := greymapOf(bufio.NewReader(r))
	return image.Config{ColorModel: color.GrayModel, Width: g.width, Height: g.height}, err
}

func greymapOf(r *bufio.Reader) (greymap, error) {
	var magic [2]byte
	if _, err := io.ReadFull(r, magic[:]); err != nil {
		return greymap{}, err
	}
	g := greymap{plain: magic[1] == '2'}
	for _, into := range []*int{&g.width, &g.height, &g.most} {
		n, err := count(r)
		if err != nil {
			return g, err
		}
		*into = n
	}
	if g.most < 1 || g.most > 65535 {
		return g, fmt.Errorf("white is %d; want 1 to 65535", g.most)
	}
	return g, nil
}

// count reads a decimal number and the one byte behind it; white space and comments before it are passed
// over.
func count(r *bufio.Reader) (int, error) {
	n, digits := 0, 0
	for comment := false; ; {
		c, err := r.ReadByte()
		if errors.Is(err, io.EOF) && digits > 0 {
			return n, nil
		}
		if err != nil {
			return 0, io.ErrUnexpectedEOF
		}
		switch {
		case comment:
			comment = c != '\n' && c != '\r'
		case c >= '0' && c <= '9':
			digits++
			if n = 10*n + int(c-'0'); n > 1<<30 {
				return 0, errors.New("a number is too large")
			}
		case digits > 0:
			return n, nil
		case c == '#':
			comment = true
		case c != ' ' && (c < '\t' || c > '\r'):
			return 0, fmt.Errorf("%q where a number is due", c)
		}
	}
}

func decodePGM(from io.Reader) (image.Image, error) {
	r := bufio.NewReader(from)
	g, err := greymapOf(r)
	if err != nil {
		return nil, err
	}
	if g.most != 255 {
		return g.deep(r)
	}
	img := &image.Gray{Stride: g.width, Rect: image.Rect(0, 0, g.width, g.height)}
	row := make([]byte, g.width)
	for range g.height { // rows are kept as they come: a header alone takes no memory
		for x := range row {
			v, err := g.value(r)
			if err != nil {
				return nil, err
			}
			row[x] = uint8(min(v, 255))
		}
		img.Pix = append(img.Pix, row...)
	}
	return img, nil
}

// deep reads the pixels of an image whose white is not 255.
func (g *greymap) deep(r *bufio.Reader) (image.Image, error) {
	img := &image.Gray16{Stride: 2 * g.width, Rect: image.Rect(0, 0, g.width, g.height)}
	row := make([]byte, 0, 2*g.width)
	for range g.height {
		row = row[:0]
		for range g.width {
			v, err := g.value(r)
			if err != nil {
				return nil, err
			}
			v = min(v, g.most) * 65535 / g.most
			row = append(row, uint8(v>>8), uint8(v))
		}
		img.Pix = append(img.Pix, row...)
	}
	return img, nil
}

func (g *greymap) value(r *bufio.Reader) (int, error) {
	if g.plain {
		return count(r)
	}
	hi, err := r.ReadByte()
	if err != nil || g.most < 256 {
		return int(hi), unexpected(err)
	}
	lo, err := r.ReadByte()
	return int(hi)<<8 | int(lo), unexpected(err)
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
