package texture

import (
	"image"
	"image/color"
)

// Relief is a picture as heights: how bright each pixel is, of 16 bits, row by row from the top.
type Relief struct {
	Width, Height int
	Bright        []uint16
}

// DecodeRelief reads a picture as heights: PNG of 8 or 16 bits, JPEG and PGM, binary or text. Errors wrap
// ErrFormat or ErrCorrupt.
func DecodeRelief(name string, data []byte) (*Relief, error) {
	img, err := decode(name, data)
	if err != nil {
		return nil, err
	}
	b := img.Bounds()
	r := &Relief{Width: b.Dx(), Height: b.Dy(), Bright: make([]uint16, b.Dx()*b.Dy())}
	for y := range r.Height {
		row := r.Bright[y*r.Width : (y+1)*r.Width]
		for x := range row {
			switch m := img.(type) {
			case *image.Gray16:
				row[x] = m.Gray16At(b.Min.X+x, b.Min.Y+y).Y
			default:
				row[x] = color.Gray16Model.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.Gray16).Y
			}
		}
	}
	return r, nil
}
