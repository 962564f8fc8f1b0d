package rosidl

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

const sample = "# A comment\n" +
	"int32 K = 0x10 # sixteen\n" +
	"string GREETING=\"hi # there\"\n" +
	"float32 HALF=0.5\n" +
	"\n" +
	"bool on true\n" +
	"\tuint8[4]\tquad [1, 2,3 ,4]\t# four\n" +
	"string<=8[<=3] names ['a,b', \"c\\\"d\", it's]\n" +
	"geometry_msgs/Point[] points\r\n" +
	"Own own\n" +
	"wstring<=4 w \"漢\"\n" +
	"string s plain text # and a comment"

func parseSample(t *testing.T) *Struct {
	t.Helper()
	s, err := ParseMsg("a.msg", "pkg/msg/A", sample)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAMessageIsParsedWithAllItsParts(t *testing.T) {
	s := parseSample(t)
	var consts, fields []string
	for _, c := range s.Constants {
		consts = append(consts, c.Type.String()+" "+c.Name+" "+c.Position.String())
	}
	for _, f := range s.Fields {
		fields = append(fields, f.Type.String()+" "+f.Name+" "+f.Position.String())
	}
	wantConsts := []string{"int32 K a.msg:2:7", "string GREETING a.msg:3:8", "float32 HALF a.msg:4:9"}
	wantFields := []string{
		"bool on a.msg:6:6", "uint8[4] quad a.msg:7:11", "string<=8[<=3] names a.msg:8:16",
		"geometry_msgs/msg/Point[] points a.msg:9:23",
		"pkg/msg/Own own a.msg:10:5", "wstring<=4 w a.msg:11:12", "string s a.msg:12:8",
	}
	if !reflect.DeepEqual(consts, wantConsts) || !reflect.DeepEqual(fields, wantFields) {
		t.Errorf("constants %q\nfields %q", consts, fields)
	}
}

func TestConstantsAndDefaultsHaveTypedValues(t *testing.T) {
	s := parseSample(t)
	var values []any
	for _, c := range s.Constants {
		values = append(values, c.Value)
	}
	for _, f := range s.Fields {
		values = append(values, f.Default)
	}
	want := []any{int64(16), "hi # there", 0.5, true, []any{uint64(1), uint64(2), uint64(3), uint64(4)},
		[]any{"a,b", `c"d`, "it's"}, nil, nil, "漢", "plain text"}
	if !reflect.DeepEqual(values, want) {
		t.Errorf("values %#v\nwant   %#v", values, want)
	}
	if text := s.Fields[1].DefaultText; text != "[1, 2,3 ,4]" {
		t.Errorf("default text %q", text)
	}
}

func TestServicesAndActionsHaveTheTypesTheyImply(t *testing.T) {
	s, err := ParseSrv("s.srv", "p/srv/S", "int8 a\n---\n")
	if err != nil {
		t.Fatal(err)
	}
	a, err := ParseAction("a.action", "p/action/A", "---\n--- \nint8 a")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, part := range append(s.Structs(), a.Structs()...) {
		names = append(names, part.Name)
	}
	want := "p/srv/S_Request p/srv/S_Response p/srv/S_Event p/action/A_Goal p/action/A_Result p/action/A_Feedback " +
		"p/action/A_SendGoal_Request p/action/A_SendGoal_Response p/action/A_SendGoal_Event " +
		"p/action/A_GetResult_Request p/action/A_GetResult_Response p/action/A_GetResult_Event p/action/A_FeedbackMessage"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("types\n%s\nwant\n%s", got, want)
	}
	if len(s.Request.Fields) != 1 || len(s.Response.Fields) != 0 || len(a.Feedback.Fields) != 1 {
		t.Errorf("sections mixed up: %+v %+v %+v", s.Request, s.Response, a.Feedback)
	}
}

type broken struct {
	text string
	err  error
	at   string // line:column
}

func brokenMessages() []broken {
	return []broken{
		{"int8", ErrSyntax, "1:5"},
		{"int8 # a", ErrSyntax, "1:6"},
		{"int8 A b", ErrName, "1:6"},
		{"int8 a__b", ErrName, "1:6"},
		{"int8 a_", ErrName, "1:6"},
		{"int8 9a", ErrName, "1:6"},
		{"int8 a=1", ErrName, "1:6"},
		{"int8 ä", ErrName, "1:6"},
		{"int8 A=", ErrValue, "1:8"},
		{"int8 A= # none", ErrValue, "1:9"},
		{"int8 A=128", ErrValue, "1:8"},
		{"uint8 A=-1", ErrValue, "1:9"},
		{"byte A=256", ErrValue, "1:8"},
		{"bool A=2", ErrValue, "1:8"},
		{"float32 A=1e39", ErrValue, "1:11"},
		{"int8[2] A=1", ErrType, "1:1"},
		{"Other A=1", ErrType, "1:1"},
		{"string A=\"x", ErrValue, "1:10"},
		{"string a \"x\" y", ErrValue, "1:10"},
		{"string a \"x\"y\"", ErrValue, "1:10"},
		{"string<=2 a \"xyz\"", ErrValue, "1:13"},
		{"int8[2] a [1]", ErrValue, "1:11"},
		{"int8[<=2] a [1,2,3]", ErrValue, "1:13"},
		{"int8[] a 1", ErrValue, "1:10"},
		{"Other a 1", ErrValue, "1:9"},
		{"int8[0] a", ErrType, "1:5"},
		{"int8[-1] a", ErrType, "1:5"},
		{"int8[99999999999] a", ErrType, "1:5"},
		{"int8[ a", ErrType, "1:5"},
		{"int8[3]] a", ErrType, "1:5"},
		{"int8<=3 a", ErrType, "1:1"},
		{"string<=0 a", ErrType, "1:1"},
		{"  time t", ErrType, "1:3"},
		{"pkg/msg/A a", ErrType, "1:1"},
		{"Pkg/A a", ErrType, "1:1"},
		{"lower a", ErrType, "1:1"},
		{"\nint8 a\nint16 a", ErrDuplicate, "3:7"},
		{"int8 A=1\nint8 A=2", ErrDuplicate, "2:6"},
		{"---", ErrSections, "1:1"},
	}
}

func TestWhatIsWrongIsToldWithItsPlace(t *testing.T) {
	for _, c := range brokenMessages() {
		_, err := ParseMsg("f", "p/msg/M", c.text)
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, c.err) || e.Position.String() != "f:"+c.at {
			t.Errorf("%q: error %v, want %q at f:%s", c.text, err, c.err, c.at)
		}
	}
}

func TestTheNumberOfSectionsMatters(t *testing.T) {
	if _, err := ParseSrv("f", "p/srv/S", "int8 a\n"); !errors.Is(err, ErrSections) {
		t.Errorf("service without a response: %v", err)
	}
	if _, err := ParseSrv("f", "p/srv/S", "---\n---\n"); !errors.Is(err, ErrSections) {
		t.Errorf("service with three sections: %v", err)
	}
	if _, err := ParseAction("f", "p/action/A", "---\n"); !errors.Is(err, ErrSections) {
		t.Errorf("action with two sections: %v", err)
	}
}

func TestANameThatIsNoneIsRefused(t *testing.T) {
	for _, name := range []string{"", "A", "p/A", "p/msg/a", "P/msg/A", "p/msg/A/B", "p//A", "p/msg/"} {
		if _, err := ParseMsg("f", name, ""); !errors.Is(err, ErrName) {
			t.Errorf("%q: error %v, want ErrName", name, err)
		}
	}
}

// FuzzParse: no text panics, and every error has a place inside the text.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("int8 a\n---\nOther[<=3] b # c\n---\n")
	for _, c := range brokenMessages() {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err1 := ParseMsg("f", "p/msg/M", text)
		_, err2 := ParseSrv("f", "p/srv/S", text)
		_, err3 := ParseAction("f", "p/action/A", text)
		rows := strings.Split(text, "\n")
		for _, err := range []error{err1, err2, err3} {
			var e *Error
			if err == nil || !errors.As(err, &e) {
				continue
			}
			if at := e.Position; at.Line < 1 || at.Line > len(rows) || at.Column < 1 ||
				at.Column > len(rows[at.Line-1])+1 {
				t.Fatalf("%q: %v is outside", text, err)
			}
		}
		if err1 == nil && (err2 == nil || err3 == nil) {
			t.Fatalf("%q is a message and a service or action", text)
		}
	})
}
