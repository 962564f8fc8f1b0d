package metrics

import (
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"simdeck/sim"
)

// TestPrometheusOwnParserReadsEveryLabelAndNumber has Prometheus' parser say what was written.
func TestPrometheusOwnParserReadsEveryLabelAndNumber(t *testing.T) {
	values := []string{"", "plain", `a "quoted" one`, `back\slash\`, "two\nlines", "{le=\"1\"}", "größe",
		"not UTF-8: \xff\xfe", "\x1b[31mred"}
	numbers := []float64{0, -1.5, 1e300, 5e-324, math.Inf(1), math.Inf(-1), math.NaN()}
	f := describe("test", "Help with a \"quote\".", "first", "second")
	for _, v := range values {
		for _, n := range numbers {
			var e exposition
			e.gauge(f, n, v, "x")
			e.gauge(f, n, "x", v)
			parser := expfmt.NewTextParser(model.LegacyValidation)
			all, err := parser.TextToMetricFamilies(strings.NewReader(string(e.text())))
			if err != nil {
				t.Fatalf("%q %v: %v\n%s", v, n, err, e.text())
			}
			m := all["simdeck_test"].GetMetric()
			if len(m) != 2 {
				t.Fatalf("%q: %d samples of 2\n%s", v, len(m), e.text())
			}
			got := m[1].GetGauge().GetValue()
			if got != n && !(math.IsNaN(got) && math.IsNaN(n)) {
				t.Errorf("%v is read as %v", n, got)
			}
			if want := strings.ToValidUTF8(v, "\uFFFD"); m[0].GetLabel()[0].GetValue() != want ||
				m[1].GetLabel()[1].GetValue() != want {
				t.Errorf("%q is read as %v", v, m)
			}
		}
	}
}

func TestAHistogramCountsWhatIsBeyondItsBounds(t *testing.T) {
	var e exposition
	e.histogram(describe("test_seconds", "Times."), 9, 3*time.Second,
		[]time.Duration{time.Millisecond, time.Second}, []uint64{4, 7})
	want := `# HELP simdeck_test_seconds Times.
# TYPE simdeck_test_seconds histogram
simdeck_test_seconds_bucket{le="0.001"} 4
simdeck_test_seconds_bucket{le="1"} 7
simdeck_test_seconds_bucket{le="+Inf"} 9
simdeck_test_seconds_sum 3
simdeck_test_seconds_count 9
`
	if string(e.text()) != want {
		t.Errorf("\n%swant\n%s", e.text(), want)
	}
}

func TestOneReaderTooManyIsAskedToComeAgain(t *testing.T) {
	s := quiet(Config{Engine: &pretend{sim.Playing, sim.NewLoopMonitor(time.Now())}})
	s.asking.Add(mostAsking)
	if code, said := get(t, s, "/metrics"); code != http.StatusServiceUnavailable ||
		!strings.Contains(said, "4 readers are being answered") {
		t.Errorf("%d %s", code, said)
	}
	s.asking.Add(-mostAsking)
	if code, _ := get(t, s, "/metrics"); code != http.StatusOK || s.asking.Load() != 0 {
		t.Errorf("%d, and %d are still counted", code, s.asking.Load())
	}
}
