package escape_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"simdeck/ui/escape"
)

var cases = []struct{ of, text, line string }{
	{"", "", ""},
	{"rover_1 häuschen 小屋 Ω 🤖 \ue0b0", "rover_1 häuschen 小屋 Ω 🤖 \ue0b0", "rover_1 häuschen 小屋 Ω 🤖 \ue0b0"},
	{"a\nb\tc", "a\nb\tc", `a\nb\tc`},
	{"\x1b]52;c;aGFja2Vk\x07", `\u001b]52;c;aGFja2Vk\u0007`, `\u001b]52;c;aGFja2Vk\u0007`},
	{"a\rb\b\v\f\x00\x7f", `a\u000db\u0008\u000b\u000c\u0000\u007f`,
		`a\u000db\u0008\u000b\u000c\u0000\u007f`},
	{"C1 as bytes \x9b31m", "C1 as bytes \uFFFD31m", "C1 as bytes \uFFFD31m"},
	{"C1 in UTF-8 \u009b31m\u0085", `C1 in UTF-8 \u009b31m\u0085`, `C1 in UTF-8 \u009b31m\u0085`},
	{"\u202egnp.\u2066exe\u200f\ufeff\u200d", `\u202egnp.\u2066exe\u200f\ufeff\u200d`,
		`\u202egnp.\u2066exe\u200f\ufeff\u200d`},
	{"\u2028\u2029", `\u2028\u2029`, `\u2028\u2029`},
	{"\U000e0041", `\udb40\udc41`, `\udb40\udc41`},
	{"cut \xe5\xb0", "cut \uFFFD\uFFFD", "cut \uFFFD\uFFFD"},
	{"surrogate \xed\xa0\x80", "surrogate \uFFFD\uFFFD\uFFFD", "surrogate \uFFFD\uFFFD\uFFFD"},
	{"\uFFFD", "\uFFFD", "\uFFFD"},
}

func TestATextIsEscapedWhereATerminalWouldTakeACommand(t *testing.T) {
	for _, c := range cases {
		if got := escape.Text(c.of); got != c.text {
			t.Errorf("Text(%q) = %q, want %q", c.of, got, c.text)
		}
		if got := escape.Line(c.of); got != c.line {
			t.Errorf("Line(%q) = %q, want %q", c.of, got, c.line)
		}
	}
}

func TestAWriterEscapesWhateverThePiecesThatComeToIt(t *testing.T) {
	for _, c := range cases {
		for size := 1; size <= len(c.of); size++ {
			var out bytes.Buffer
			w := escape.NewWriter(&out)
			for at := 0; at < len(c.of); at += size {
				piece := c.of[at:min(at+size, len(c.of))]
				if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
					t.Fatalf("Write(%q) = %d, %v", piece, n, err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if got := squeeze(out.String()); got != squeeze(c.text) {
				t.Errorf("%q in pieces of %d: %q, want %q", c.of, size, got, c.text)
			}
		}
	}
}

// squeeze makes one of several signs for what is no UTF-8: how many there are hangs on where it is cut.
func squeeze(s string) string {
	for strings.Contains(s, "\uFFFD\uFFFD") {
		s = strings.ReplaceAll(s, "\uFFFD\uFFFD", "\uFFFD")
	}
	return s
}

func TestJSONStaysTheSameJSONBehindAWriter(t *testing.T) {
	for _, c := range cases {
		var out bytes.Buffer
		if err := json.NewEncoder(escape.NewWriter(&out)).Encode(c.of); err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil ||
			back != strings.ToValidUTF8(c.of, "\uFFFD") &&
				squeeze(back) != squeeze(strings.ToValidUTF8(c.of, "\uFFFD")) {
			t.Errorf("%q came back as %q: %v", c.of, back, err)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("disk full")

func TestAWriterSaysWhenNothingCanBeWritten(t *testing.T) {
	if _, err := escape.NewWriter(full{}).Write([]byte("x")); !errors.Is(err, errFull) {
		t.Errorf("Write gave %v, want %v", err, errFull)
	}
}

func TestAWriterOfAWriterIsThatWriter(t *testing.T) {
	w := escape.NewWriter(&bytes.Buffer{})
	if escape.NewWriter(w) != w {
		t.Error("NewWriter made a second one, which would wait for the ends of characters twice")
	}
}

// FuzzWriter: whatever is written, no terminal takes a command from what comes out.
func FuzzWriter(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.of), uint8(3))
	}
	f.Fuzz(func(t *testing.T, p []byte, size uint8) {
		var out bytes.Buffer
		w := escape.NewWriter(&out)
		for rest := p; len(rest) > 0; {
			n := min(len(rest), int(size)+1)
			if _, err := w.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{out.String(), escape.Text(string(p)), escape.Line(string(p))} {
			if !utf8.ValidString(s) {
				t.Fatalf("%q came out as %q, which is no UTF-8", p, s)
			}
			for _, r := range s {
				if r != '\n' && r != '\t' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) ||
					r == 0x2028 || r == 0x2029) {
					t.Fatalf("%q came out as %q with %U", p, s, r)
				}
			}
		}
		if strings.ContainsAny(escape.Line(string(p)), "\n\t") {
			t.Fatalf("Line(%q) has more than a line", p)
		}
		if utf8.Valid(p) && squeeze(out.String()) != squeeze(escape.Text(string(p))) {
			t.Fatalf("%q: Writer says %q, Text %q", p, out.String(), escape.Text(string(p)))
		}
	})
}

type stringer struct{ s string }

func (s stringer) String() string { return s.s }

func TestWhatIsPrintedStaysInTheLineThatIsMeantForIt(t *testing.T) {
	type kind string
	var out bytes.Buffer
	for _, name := range []any{"a\nok", kind("a\nok"), errors.New("a\nok"), stringer{"a\nok"},
		[]string{"a\nok"}} {
		out.Reset()
		if _, err := escape.Fprintf(&out, "%d: %v, %6.2f\n", 3, name, 1.5); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `a\nok`) ||
			!strings.Contains(got, "3: ") || !strings.HasSuffix(got, "  1.50\n") {
			t.Errorf("%T: printed %q", name, got)
		}
	}
	out.Reset()
	if _, err := escape.Fprintln(&out, "x\ny", 7); err != nil || out.String() != `x\ny 7`+"\n" {
		t.Errorf("printed %q, %v", out.String(), err)
	}
}
