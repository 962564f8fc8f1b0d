package pane

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Number writes a value with a fixed number of decimals; a value that rounds
// to zero has no sign.
func Number(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if len(s) > 1 && s[0] == '-' && strings.Trim(s, "-0.") == "" {
		return s[1:]
	}
	if len(s) > 12 {
		return strconv.FormatFloat(v, 'e', 2, 64)
	}
	return s
}

// Clock writes a simulated time as hours, minutes and seconds.
func Clock(t time.Duration) string {
	sign := ""
	if t < 0 {
		sign, t = "-", -t
	}
	ms := t.Milliseconds()
	return fmt.Sprintf("%s%02d:%02d:%02d.%03d", sign, ms/3600000, ms/60000%60, ms/1000%60, ms%1000)
}

// Cost writes a short duration with three digits.
func Cost(d time.Duration) string {
	switch {
	case d <= 0:
		return "–"
	case d < time.Millisecond:
		return strconv.Itoa(int(d.Microseconds())) + " µs"
	case d < 10*time.Millisecond:
		return Number(float64(d)/1e6, 2) + " ms"
	case d < time.Second:
		return Number(float64(d)/1e6, 0) + " ms"
	}
	return Number(d.Seconds(), 1) + " s"
}

// Factor writes a real-time factor; 0 and less is "max" where it is asked for.
func Factor(f float64, asked bool) string {
	switch {
	case asked && f <= 0:
		return "max"
	case math.IsNaN(f) || math.IsInf(f, 0):
		return "–"
	case asked && f < 0.2: // 0.125
		return Number(f, 3)
	case f >= 99.5:
		return Number(f, 0)
	case f >= 9.95:
		return Number(f, 1)
	}
	return Number(f, 2)
}

// Size is a number of bytes for people: "870 B", "12 kB", "3.4 MB".
func Size(bytes int64) string {
	v, unit := float64(bytes), 0
	for v >= 999.5 && unit < 4 {
		v, unit = v/1000, unit+1
	}
	digits := 0
	if v < 9.95 && unit > 0 {
		digits = 1
	}
	return strconv.FormatFloat(v, 'f', digits, 64) + " " + [...]string{"B", "kB", "MB", "GB", "TB"}[unit]
}

// Elapsed is a time of this machine in minutes and seconds: "0:07", "71:30".
func Elapsed(d time.Duration) string {
	s := max(0, int(d/time.Second))
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Kind is a category in the table's short word.
func Kind(c scene.Category) string {
	switch c {
	case scene.DynamicObject:
		return "dynamic"
	case scene.StaticObject:
		return "static"
	}
	return c.String()
}

// Degrees of an angle in radians.
func Degrees(rad float64) float64 { return rad * 180 / math.Pi }

// heading is the yaw of a rotation, fast and for the eye only.
func heading(q r3.Quat) float64 {
	return math.Atan2(2*(q.W*q.Z+q.X*q.Y), 1-2*(q.Y*q.Y+q.Z*q.Z))
}
