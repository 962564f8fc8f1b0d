package canvas

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"simdeck/ui/theme"
)

// gradient is a picture whose colours go from one corner to the other.
func gradient(w, h int) []uint8 {
	out := make([]uint8, 0, 3*w*h)
	for y := range h {
		for x := range w {
			out = append(out, uint8(255*x/w), uint8(255*y/h), uint8((x*7+y*13)%256))
		}
	}
	return out
}

func TestAKittyPictureComesWholeInPiecesThatATerminalTakes(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {40, 30}, {320, 200}} {
		w, h := size[0], size[1]
		want := gradient(w, h)
		text := Kitty(want, w, h, 20, 10)
		var data string
		pieces := strings.SplitAfter(text, "\x1b\\")
		for i, p := range pieces[:len(pieces)-1] {
			m := regexp.MustCompile(`^\x1b_G([^;]*);([A-Za-z0-9+/=]*)\x1b\\$`).FindStringSubmatch(p)
			if m == nil || len(m[2]) > 4096 {
				t.Fatalf("%v: piece %d is no graphics command, or too long: %.60q", size, i, p)
			}
			last := i == len(pieces)-2
			if begins := strings.Contains(m[1], "a=T,U=1"); begins != (i == 0) ||
				strings.HasSuffix(m[1], "m=0") != last || !strings.Contains(m[1], "q=2") {
				t.Errorf("%v: piece %d of %d says %q", size, i, len(pieces)-1, m[1])
			}
			data += m[2]
		}
		packed, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			t.Fatal(err)
		}
		z, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: %d bytes come back, %v", size, len(got), err)
		}
	}
}

func TestPlacesOfAPictureTakeAColumnEachAndNothingInText(t *testing.T) {
	g := NewCellBuffer(10, 4)
	g.All().Sub(2, 1, 3, 2).Place()
	mono, err := theme.New("")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.Plain(), strings.Repeat(strings.Repeat(" ", 10)+"\n", 4); got+"\n" != want {
		t.Errorf("as text: %q", got)
	}
	styled := g.Styled(mono)
	if n := strings.Count(styled, "\U0010EEEE"); n != 6 {
		t.Errorf("%d placeholders, want 6: %q", n, styled)
	}
	if !strings.Contains(styled, "38;5;83m") || !strings.Contains(styled, "\U0010EEEE\u030D\u030E") {
		t.Errorf("no picture 83, or no cell of row 1, column 2: %q", styled)
	}
}

// readSixel draws a sixel text again (as the manual says, written apart from
// what writes it).
func readSixel(t *testing.T, text string, w, h int) []uint8 {
	t.Helper()
	body, ok := strings.CutPrefix(text, "\x1bP0;1q\"1;1;"+strconv.Itoa(w)+";"+strconv.Itoa(h))
	body, closed := strings.CutSuffix(body, "\x1b\\")
	if !ok || !closed {
		t.Fatalf("begins %.40q", text)
	}
	out := make([]uint8, 3*w*h)
	palette := map[int][3]uint8{}
	x, y, colour := 0, 0, 0
	for _, m := range regexp.MustCompile(`#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)(.)|[$-]|[?-~]|.`).FindAllStringSubmatch(body,
		-1) {
		n, char := 1, m[0]
		switch {
		case char[0] == '#':
			colour, _ = strconv.Atoi(m[1])
			if m[2] != "" {
				var c [3]uint8
				for i := range c {
					v, _ := strconv.Atoi(m[2+i])
					c[i] = uint8(v * 255 / 100)
				}
				palette[colour] = c
			}
			continue
		case char == "$":
			x = 0
			continue
		case char == "-":
			x, y = 0, y+6
			continue
		case char[0] == '!':
			n, _ = strconv.Atoi(m[5])
			char = m[6]
		}
		if char[0] < '?' || char[0] > '~' {
			t.Fatalf("%q is no sixel", char)
		}
		for range n {
			for k := range 6 {
				if (char[0]-'?')>>k&1 == 1 {
					if x >= w || y+k >= h {
						t.Fatalf("a point at %d, %d", x, y+k)
					}
					c := palette[colour]
					copy(out[3*((y+k)*w+x):], c[:])
				}
			}
			x++
		}
	}
	return out
}

func TestASixelPictureShowsTheColoursInTheMean(t *testing.T) {
	const w, h = 96, 48
	want := gradient(w, h)
	got := readSixel(t, Sixel(want, w, h), w, h)
	for by := 0; by < h; by += 8 {
		for bx := 0; bx < w; bx += 8 {
			for c := range 2 { // the third goes up and down within a block
				var a, b float64
				for i := range 64 {
					at := 3*((by+i/8)*w+bx+i%8) + c
					a, b = a+float64(want[at])/64, b+float64(got[at])/64
				}
				if math.Abs(a-b) > 12 {
					t.Errorf("about %d, %d primary %d is %.0f, want %.0f", bx, by, c, b, a)
				}
			}
		}
	}
	if odd := Sixel(gradient(10, 11), 10, 11); !strings.Contains(odd, "\"1;1;10;6") {
		t.Errorf("a height that is not of sixes: %.40q", odd)
	}
}
