package expr

import (
	"bufio"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// known looks up the names that expressions of testdata/python.txt may use.
func known(t testing.TB) func(string) (Value, error) {
	t.Helper()
	names := Names{}
	for _, all := range []Names{Math(), Python()} {
		for k, v := range all {
			names[k] = v
		}
	}
	sub, d := &Dict{}, &Dict{}
	for _, err := range []error{sub.Set("v", &List{Items: []Value{int64(1), int64(2)}}), d.Set("k", int64(1)),
		d.Set("name", "box"), d.Set("sub", sub)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for k, v := range map[string]Value{"a": int64(3), "b": int64(-2), "x": 2.5, "y": -0.75, "s": "left arm",
		"t": true, "n": nil,
		"l": &List{Items: []Value{int64(3), int64(1), int64(2)}}, "d": d} {
		names[k] = v
	}
	return names.Attr
}

func evaluate(t testing.TB, text string) (string, error) {
	t.Helper()
	v, err := Eval(text, &Env{Lookup: known(t), Budget: NewBudget()})
	if err != nil {
		return "", err
	}
	return Str(v), nil
}

// near takes texts for the same when equal, or floats with different last digits: Python has C's elementary
// functions.
func near(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return a == b || errX == nil && errY == nil && strings.ContainsAny(a, ".e") &&
		strings.ContainsAny(b, ".e") && math.Abs(x-y) <= 1e-15*math.Abs(y)
}

// The second column of testdata/python.txt is the result of CPython 3.11's str(eval(…)) for the first, or
// !error.
func TestExpressionsMeanWhatTheyMeanInPython(t *testing.T) {
	f, err := os.Open("testdata/python.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	count := 0
	for lines := bufio.NewScanner(f); lines.Scan(); count++ {
		text, want, _ := strings.Cut(lines.Text(), "\t")
		got, err := evaluate(t, text)
		switch {
		case want == "!error" && err == nil:
			t.Errorf("%s: %s, Python says that it is wrong", text, got)
		case want != "!error" && err != nil:
			t.Errorf("%s: %v, Python says %s", text, err, want)
		case want != "!error" && !near(got, want):
			t.Errorf("%s: %s, Python says %s", text, got, want)
		}
	}
	if count < 500 {
		t.Errorf("%d expressions", count)
	}
}

func TestExpressionsStopAtTheirBudgetInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for _, text := range []string{
		"[i for i in range(10 ** 9)]", "'x' * 10 ** 12", "[[0] * 1000 for i in range(10 ** 6)]",
		"sum(range(10 ** 9))",
		"[[j for j in range(10000)] for i in range(10000)]", "'-'.join(['x' * 1000] * 100000)",
		"('x' * 1000).replace('x', 'y' * 100000)",
		"list(map(str, range(10 ** 8)))", "'%s' % ('x' * 10 ** 8)", "sorted(range(10 ** 9))",
	} {
		start := time.Now()
		if got, err := evaluate(t, text); !errors.Is(err, ErrBudget) {
			t.Errorf("%s: %.40q, %v", text, got, err)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s took %v", text, took)
		}
	}
}

func FuzzEval(f *testing.F) {
	data, err := os.ReadFile("testdata/python.txt")
	if err != nil {
		f.Fatal(err)
	}
	for i, line := range strings.Split(string(data), "\n") {
		if text, _, ok := strings.Cut(line, "\t"); ok && i%7 == 0 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Eval(text, &Env{Lookup: known(t), Budget: &Budget{Work: 200_000}})
		if err == nil && len(Repr(v)) > 64<<20 {
			t.Fatal("a result of more than 64 MB")
		}
	})
}
