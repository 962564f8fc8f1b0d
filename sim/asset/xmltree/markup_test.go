package xmltree

import (
	"errors"
	"strings"
	"testing"
)

var documents = []struct {
	name, text string
	wantErr    string // empty: it parses
	warnings   int
}{
	{"plain", "<?xml version='1.0'?>\n<a b='c'>x<d/>y</a>", "", 0},
	{"double hyphen in a comment", "<!-- a -- b -->\n<a/>", "", 1},
	{"double colon tag", "<a><gz::x>1</gz::x></a>", "", 1},
	{"blank before the declaration", " \n<?xml version='1.0'?><a/>", "", 1},
	{"byte order mark", "\xef\xbb\xbf<a/>", "", 0},
	{"second end tag of the root", "<a></a></a>", "", 1},
	{"latin-1 undeclared", "<a>\xe9</a>", "", 1},
	{"latin-1 declared", "<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", "", 0},
	{"utf-16 with mark", "\xff\xfe<\x00a\x00/\x00>\x00", "", 0},
	{"utf-16 without mark", "\x00<\x00a\x00/\x00>", "", 1},
	{"character reference", "<a>&#65;&#x42;&lt;</a>", "", 0},
	{"doctype without subset", "<!DOCTYPE a><a/>", "", 1},
	{"cdata", "<a><![CDATA[<b>]]></a>", "", 0},
	{"nothing", "", "no XML element", 0},
	{"blank", " \n ", "no XML element", 0},
	{"cut in a tag", "<a>\n<b c='", "2:6: the value of c in <b> is never closed", 0},
	{"cut in text", "<a>\nxy", "2:3: the text ends inside <a> of line 1", 0},
	{"unquoted attribute", "<a>\n <b c=d/></a>", "2:7: the value of c in <b> is not in quotes", 0},
	{"doubled attribute", "<a b='1' b='2'/>", "1:10: attribute b is written twice in <a>", 0},
	{"mismatched", "<a>\n<b>\n</a></b>", "3:1: </a> found where </b> should close line 2", 0},
	{"two documents", "<a/><b/>", "1:5: a second root element <b>", 0},
	{"text behind", "<a/>x", "1:5: text \"x\" after the root element <a>", 0},
	{"unclosed comment", "<a><!-- </a>", "1:4: comment is never closed", 0},
	{"undefined entity", "<a>&x;</a>", "1:4: undefined entity &x;", 0},
	{"illegal character", "<a>&#1;</a>", "1:4: character reference &#1; is no character of XML", 0},
	{"entity bomb", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "1:1: document type with an internal subset",
		0},
	{"lone less-than", "<a>1 < 2</a>", "1:6: a < that starts no tag", 0},
	{"columns count characters", "<é ü=x/>", "1:6: the value of ü in <é> is not in quotes", 0},
}

func TestParseTakesWhatFilesWriteAndLocatesWhatItRefuses(t *testing.T) {
	for _, c := range documents {
		t.Run(c.name, func(t *testing.T) {
			d, err := Parse([]byte(c.text), Limits{})
			if c.wantErr != "" {
				if err == nil || !strings.HasPrefix(err.Error(), c.wantErr) {
					t.Fatalf("error %v, want %q", err, c.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Warnings) != c.warnings {
				t.Errorf("%d warnings %v, want %d", len(d.Warnings), d.Warnings, c.warnings)
			}
		})
	}
}

func TestEveryStrictPrefixOfADocumentFails(t *testing.T) {
	const text = `<?xml version="1.0"?><sdf v="1"><!-- x --><m a='b'>1 &amp; 2<c/></m></sdf>`
	for i := range len(text) {
		if _, err := Parse([]byte(text[:i]), Limits{}); err == nil {
			t.Errorf("prefix %q parses", text[:i])
		}
	}
}

func TestTheTreeKeepsNamesValuesOrderAndPlaces(t *testing.T) {
	d, err := Parse([]byte("<a x=' 1 '>\n  <b>2</b><b> 3\n</b>t&lt;<c/>u</a>"), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r := d.Root
	if r.Get("x") != "1" || r.ValueOf("b") != "2" || len(r.All("b")) != 2 || r.All("b")[1].Value() != "3" {
		t.Errorf("wrong tree %+v", r)
	}
	if r.Value() != "t<u" {
		t.Errorf("text %q, want t<u", r.Value())
	}
	if got := r.All("b")[1].Pos; got != (Pos{2, 11}) {
		t.Errorf("second b at %v, want 2:11", got)
	}
	if r.Find("b", "none", "x") != nil || (*Node)(nil).Value() != "" {
		t.Error("a chain that breaks off is not nil")
	}
}

func TestLimitsStopDeepWideAndLongTexts(t *testing.T) {
	for name, text := range map[string]string{
		"nested deeper": strings.Repeat("<a>", 300),
		"more than":     "<a>" + strings.Repeat("<b/>", 990) + strings.Repeat("<b></b>", 20) + "</a>",
		"longer than":   "<a>" + strings.Repeat(" ", 5000) + "</a>",
		"attributes":    "<a " + manyAttrs(300) + "/>",
	} {
		_, err := Parse([]byte(text), Limits{Bytes: 4500, Elements: 1000})
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func manyAttrs(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("a" + strings.Repeat("b", i%10) + string(rune('a'+i/10%26)) + string(rune('a'+i/260)) +
			"='' ")
	}
	return b.String()
}

func FuzzParse(f *testing.F) {
	for _, c := range documents {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Parse(data, Limits{Elements: 1000})
		if err == nil && d.Root == nil {
			t.Fatal("neither a tree nor an error")
		}
	})
}
