package pane

import (
	"math"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
)

func TestValuesAreWrittenForPeople(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Number(1.23456, 3), "1.235"}, {Number(-0.0001, 2), "0.00"}, {Number(-0.5, 1), "-0.5"},
		{Number(-1, 0), "-1"}, {Number(math.NaN(), 2), "NaN"},
		{Number(1e18, 3), "1.00e+18"}, {Number(math.Inf(-1), 1), "-Inf"},
		{Clock(0), "00:00:00.000"}, {Clock(3*time.Hour + 25*time.Minute + 45678*time.Millisecond),
			"03:25:45.678"}, {Clock(-time.Second), "-00:00:01.000"},
		{Cost(0), "–"}, {Cost(42 * time.Microsecond), "42 µs"}, {Cost(1500 * time.Microsecond), "1.50 ms"},
		{Cost(20 * time.Millisecond), "20 ms"}, {Cost(2 * time.Second), "2.0 s"},
		{Factor(1, true), "1.00"}, {Factor(0, true), "max"}, {Factor(0, false), "0.00"},
		{Factor(12.34, false), "12.3"}, {Factor(250, false), "250"}, {Factor(math.NaN(), false), "–"},
		{Fitted("turtlebot3_world", 8), "turtleb…"}, {Fitted("字字字字", 5), "字字…"},
		{Fitted("short", 8), "short"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestArrowsPointWhereRobotsDo(t *testing.T) {
	for yaw, want := range map[float64]rune{0: '→', math.Pi / 2: '↑', math.Pi: '←', -math.Pi: '←',
		-math.Pi / 2: '↓', math.Pi / 4: '↗', -3: '←', 3.1: '←', math.NaN(): '?'} {
		if got := Arrow(yaw); got != want {
			t.Errorf("heading %v is %c, want %c", yaw, got, want)
		}
	}
	for yaw := -3.1; yaw < 3.1; yaw += 0.1 {
		if got := heading(r3.FromRPY(0.1, -0.2, yaw)); math.Abs(got-yaw) > 1e-9 {
			t.Errorf("heading %v is %v", yaw, got)
		}
	}
}

func TestEveryStateHasASignAndAWordOfItsOwn(t *testing.T) {
	signs, words := map[rune]bool{}, map[string]bool{}
	for s := sim.Stopped; s <= sim.LoadingWorld+1; s++ {
		sign, word, _ := Glyph(s)
		if signs[sign] || words[word] {
			t.Errorf("%c %s stands for two states", sign, word)
		}
		signs[sign], words[word] = true, true
	}
}

func TestAVectorAndItsUnitFitTheNarrowestPane(t *testing.T) {
	for _, v := range []float64{0, -0.001, 9.8765, -123.4567, 1234.5678, -12345.678, 123456.789} {
		var b lines
		b.row("turning", vector(r3.V(v, -v, v), 3, "rad/s")...)
		if got := b.wrapped(40); len(got) != 1 {
			t.Errorf("%v takes %d lines: %v", v, len(got), got)
		}
		if text := narrow(v, 3); len(text) > 7 {
			t.Errorf("%v is %q, of %d columns", v, text, len(text))
		}
	}
}
