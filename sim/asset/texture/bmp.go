package texture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math/bits"
)

// bitmap is the header of a BMP (Microsoft, "Bitmap Storage", BITMAPINFOHEADER and its successors), with the
// bytes of the whole file. Runs, JPEG and PNG inside of one are not read.
type bitmap struct {
	data          []byte
	width, height int
	down          bool // the first row is the top one
	depth         int  // bits of a pixel
	masks         [4]uint32
	palette       [256]color.NRGBA
	pixels        int // where they begin
}

var errBitmap = errors.New("the header of the BMP is cut short or no header")

func configBMP(r io.Reader) (image.Config, error) {
	b, err := bitmapOf(r)
	if err != nil {
		return image.Config{}, err
	}
	return image.Config{ColorModel: color.NRGBAModel, Width: b.width, Height: b.height}, nil
}

func bitmapOf(r io.Reader) (*bitmap, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if len(data) < 54 {
		return nil, errBitmap
	}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	header := int(u32(14))
	b := &bitmap{data: data, pixels: int(u32(10)), width: int(int32(u32(18))), height: int(int32(u32(22))),
		depth: int(data[28])}
	if b.height < 0 {
		b.down, b.height = true, -b.height
	}
	if header < 40 || header > len(data)-14 || b.width < 1 || b.height < 1 || b.height > 1<<30 {
		return nil, errBitmap
	}
	if err := b.readFormat(header); err != nil {
		return nil, err
	}
	if stride := b.stride(); b.pixels < 14+header || b.pixels > len(data) ||
		b.height > (len(data)-b.pixels)/stride {
		return nil, fmt.Errorf("%d × %d pixels from byte %d on do not fit into the %d bytes of the BMP",
			b.width, b.height, b.pixels, len(data))
	}
	return b, nil
}

// readFormat reads how a pixel is a colour, behind a header of so many bytes: by masks or by a palette.
func (b *bitmap) readFormat(header int) error {
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(b.data[at:]) }
	switch packing := u32(30); {
	case packing == 0 && b.depth == 16:
		b.masks = [4]uint32{0x7c00, 0x3e0, 0x1f, 0}
	case packing == 0 && (b.depth == 24 || b.depth == 32):
		b.masks = [4]uint32{0xff0000, 0xff00, 0xff, 0}
	case packing == 0 && (b.depth == 1 || b.depth == 4 || b.depth == 8):
		b.colours(14+header, int(u32(46)))
	case (packing == 3 || packing == 6) && (b.depth == 16 || b.depth == 32) && len(b.data) >= 70:
		b.masks = [4]uint32{u32(54), u32(58), u32(62), u32(66)}
		if header == 40 && packing == 3 {
			b.masks[3] = 0
		}
	default:
		return fmt.Errorf("a BMP of %d bits with the packing %d; plain ones of 1, 4, 8, 16, 24 and 32 bits are read",
			b.depth, packing)
	}
	return nil
}

// colours reads the palette: blue, green, red and nothing.
func (b *bitmap) colours(at, count int) {
	if most := 1 << b.depth; count < 1 || count > most {
		count = most
	}
	for i := range b.palette {
		b.palette[i].A = 255
		if k := at + 4*i; i < count && k+3 <= len(b.data) {
			b.palette[i] = color.NRGBA{b.data[k+2], b.data[k+1], b.data[k], 255}
		}
	}
}

// stride is the bytes of a row, which ends at a multiple of four.
func (b *bitmap) stride() int { return (b.width*b.depth + 31) / 32 * 4 }

func decodeBMP(r io.Reader) (image.Image, error) {
	b, err := bitmapOf(r)
	if err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, b.width, b.height))
	for y := range b.height {
		from := y
		if !b.down {
			from = b.height - 1 - y
		}
		row, out := b.data[b.pixels+from*b.stride():], img.Pix[y*img.Stride:]
		for x := range b.width {
			c := b.pixel(row, x)
			out[4*x], out[4*x+1], out[4*x+2], out[4*x+3] = c.R, c.G, c.B, c.A
		}
	}
	return img, nil
}

func (b *bitmap) pixel(row []byte, x int) color.NRGBA {
	var v uint32
	switch b.depth {
	case 1:
		return b.palette[row[x/8]>>(7-x%8)&1]
	case 4:
		return b.palette[row[x/2]>>(4-4*(x%2))&15]
	case 8:
		return b.palette[row[x]]
	case 16:
		v = uint32(binary.LittleEndian.Uint16(row[2*x:]))
	case 24:
		v = uint32(row[3*x]) | uint32(row[3*x+1])<<8 | uint32(row[3*x+2])<<16
	default:
		v = binary.LittleEndian.Uint32(row[4*x:])
	}
	c := color.NRGBA{part(v, b.masks[0], 0), part(v, b.masks[1], 0), part(v, b.masks[2], 0),
		part(v, b.masks[3], 255)}
	return c
}

// part is the bits of a mask as a number up to 255; otherwise where there are none.
func part(v, mask uint32, otherwise uint8) uint8 {
	if mask == 0 {
		return otherwise
	}
	low := bits.TrailingZeros32(mask)
	most := uint64(mask >> low)
	return uint8((uint64(v&mask>>low)*255 + most/2) / most)
}
