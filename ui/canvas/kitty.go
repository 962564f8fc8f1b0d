package canvas

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"image"
	"strings"

	"github.com/charmbracelet/x/ansi/kitty"

	"simdeck/ui/theme"
)

// kittyID is the number of the one picture that is shown at a time. It is one of 256, so that terminals with
// 256 colors can tell it by the color of its cells.
const kittyID = 83

// Place reserves the area's cells for a picture of Kitty's graphics protocol: each holds its placeholder with
// row and column. Pictures of more than 256 cells either way have no placeholders.
func (a Area) Place() {
	for y := range min(a.H(), 256) {
		for x := range min(a.W(), 256) {
			if p := image.Pt(x, y).Add(a.r.Min); p.In(a.clip) {
				a.g.cells[p.Y*a.g.w+p.X] = Cell{Rune: kitty.Placeholder, Role: theme.Placed,
					Bg: RGB{uint8(y), uint8(x)}}
			}
		}
	}
}

// Reserve empties the cells of the area for a picture that is drawn over them.
// They differ from empty ones, so that what comes after it is drawn in all.
func (a Area) Reserve() { a.Fill(' ', theme.Under) }

// placeholder writes the cell of a picture.
func (c *Cell) placeholder(b *strings.Builder) {
	b.WriteRune(kitty.Placeholder)
	b.WriteRune(kitty.Diacritic(int(c.Bg[0])))
	b.WriteRune(kitty.Diacritic(int(c.Bg[1])))
}

// Kitty is the command that transfers a picture of w by h points, three bytes each, for the columns and rows
// that Place reserved.
func Kitty(rgb []uint8, w, h, columns, rows int) string {
	var packed bytes.Buffer
	z, _ := zlib.NewWriterLevel(&packed, zlib.BestSpeed) // the level exists
	_, _ = z.Write(rgb[:3*w*h])                          // a buffer takes all
	_ = z.Close()
	data := base64.StdEncoding.EncodeToString(packed.Bytes())
	var b strings.Builder
	head := fmt.Sprintf("a=T,U=1,q=2,f=24,o=z,i=%d,s=%d,v=%d,c=%d,r=%d,", kittyID, w, h, columns, rows)
	for begin := true; begin || data != ""; begin = false {
		part := data[:min(len(data), kitty.MaxChunkSize)]
		data = data[len(part):]
		more := 0
		if data != "" {
			more = 1
		}
		fmt.Fprintf(&b, "\x1b_G%sm=%d;%s\x1b\\", head, more, part)
		head = "q=2,"
	}
	return b.String()
}

// KittyForget is the command that takes the picture away.
func KittyForget() string { return fmt.Sprintf("\x1b_Ga=d,d=I,i=%d,q=2\x1b\\", kittyID) }
