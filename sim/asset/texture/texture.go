// Package texture reads materials' images, PNG, JPEG, BMP and PGM, into textures with mipmaps, and those for
// terrain into heights. Sizes that a file claims are checked before memory is allocated for them.
package texture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"path"
	"strings"

	"simdeck/sim/scene"
)

// Bounds of what is read.
const (
	MaxBytes  = 64 << 20
	maxPixels = 16 << 20 // 4096 × 4096: about 150 MB while it is read
	mostEdge  = 1024     // px: what is larger is halved
)

// Why a picture could not be read.
var (
	ErrFormat  = errors.New("unknown picture format")
	ErrCorrupt = errors.New("picture cannot be read")
)

// Decode reads a picture; the extension of name says which format, and what
// stands at the beginning when that is another. Errors wrap ErrFormat or
// ErrCorrupt.
func Decode(name string, data []byte) (*scene.Texture, error) {
	img, err := decode(name, data)
	if err != nil {
		return nil, err
	}
	return texture(img), nil
}

// decode reads a picture whose size is within bounds.
func decode(name string, data []byte) (image.Image, error) {
	decode, config := png.Decode, png.DecodeConfig
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG")):
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		decode, config = jpeg.Decode, jpeg.DecodeConfig
	case bytes.HasPrefix(data, []byte("BM")):
		decode, config = decodeBMP, configBMP
	case bytes.HasPrefix(data, []byte("P2")), bytes.HasPrefix(data, []byte("P5")):
		decode, config = decodePGM, configPGM
	default:
		return nil, fmt.Errorf("%w %q; known are PNG, JPEG, BMP and PGM", ErrFormat,
			strings.ToLower(path.Ext(name)))
	}
	c, err := config(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if c.Width < 1 || c.Height < 1 || c.Width > maxPixels/c.Height {
		return nil, fmt.Errorf("%w: %d × %d pixels, at most %d are read", ErrCorrupt, c.Width, c.Height,
			maxPixels)
	}
	if bytes.HasPrefix(data, []byte("\xff\xd8")) {
		if err := checkJPEG(data); err != nil {
			return nil, err
		}
	}
	img, err := decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return img, nil
}

// texture copies an image and halves it down to one pixel. Images above the size limit are halved first.
func texture(img image.Image) *scene.Texture {
	b := img.Bounds()
	t := &scene.Texture{}
	whole := scene.TextureLevel{Width: b.Dx(), Height: b.Dy()}
	rows := rowsOf(img)
	read := func(y int, row []uint8) {
		rows(y, row)
		for x := 3; x < len(row) && !t.Translucent; x += 4 {
			t.Translucent = row[x] < 250
		}
	}
	l := whole
	if whole.Width > mostEdge || whole.Height > mostEdge {
		l = scene.TextureLevel{Width: max(1, whole.Width/2), Height: max(1, whole.Height/2)}
		l.Pix = make([]uint8, 0, 4*l.Width*l.Height)
		strip := scene.TextureLevel{Width: whole.Width, Height: min(2, whole.Height),
			Pix: make([]uint8, 8*whole.Width)}
		for y := range l.Height {
			for k := range strip.Height {
				read(2*y+k, strip.Pix[4*k*whole.Width:4*(k+1)*whole.Width])
			}
			l.Pix = append(l.Pix, halved(strip).Pix...)
		}
	} else {
		l.Pix = make([]uint8, 4*l.Width*l.Height)
		for y := range l.Height {
			read(y, l.Pix[4*y*l.Width:4*(y+1)*l.Width])
		}
	}
	for ; ; l = halved(l) {
		if l.Width <= mostEdge && l.Height <= mostEdge {
			t.Levels = append(t.Levels, l)
		}
		if l.Width == 1 && l.Height == 1 {
			return t
		}
	}
}

// halved is a level with half the edges, each pixel the mean of four.
func halved(l scene.TextureLevel) scene.TextureLevel {
	out := scene.TextureLevel{Width: max(1, l.Width/2), Height: max(1, l.Height/2)}
	out.Pix = make([]uint8, 4*out.Width*out.Height)
	at := func(x, y, k int) int {
		return int(l.Pix[4*(min(y, l.Height-1)*l.Width+min(x, l.Width-1))+k])
	}
	for y := range out.Height {
		for x := range out.Width {
			for k := range 4 {
				sum := at(2*x, 2*y, k) + at(2*x+1, 2*y, k) + at(2*x, 2*y+1, k) + at(2*x+1, 2*y+1, k)
				out.Pix[4*(y*out.Width+x)+k] = uint8((sum + 2) / 4)
			}
		}
	}
	return out
}
