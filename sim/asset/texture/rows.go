package texture

import (
	"image"
	"image/color"
	"image/draw"
)

// rowsOf reads the rows of an image as red, green, blue and opacity, not multiplied.
func rowsOf(img image.Image) func(y int, row []uint8) {
	b := img.Bounds()
	switch m := img.(type) {
	case *image.NRGBA:
		return func(y int, row []uint8) { copy(row, m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):]) }
	case *image.NRGBA64:
		return func(y int, row []uint8) {
			pix := m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):]
			for i := range row {
				row[i] = pix[2*i]
			}
		}
	case *image.Paletted:
		var table [256][4]uint8
		for i, c := range m.Palette {
			table[i] = straight(c)
		}
		return func(y int, row []uint8) {
			for x, i := range m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):][:len(row)/4] {
				copy(row[4*x:], table[i][:])
			}
		}
	case interface {
		image.Image
		Opaque() bool
	}:
		if m.Opaque() { // where nothing is seen through, multiplied is the same: package draw knows each kind
			return func(y int, row []uint8) {
				draw.Draw(&image.RGBA{Pix: row, Stride: len(row), Rect: image.Rect(0, 0, len(row)/4, 1)},
					image.Rect(0, 0, len(row)/4, 1), m, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
			}
		}
	}
	return func(y int, row []uint8) {
		for x := range len(row) / 4 {
			c := straight(img.At(b.Min.X+x, b.Min.Y+y))
			copy(row[4*x:], c[:])
		}
	}
}

func straight(c color.Color) [4]uint8 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return [4]uint8{n.R, n.G, n.B, n.A}
}
