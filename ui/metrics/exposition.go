package metrics

import (
	"strconv"
	"strings"
	"time"
)

// family is a metric family: all samples of one name.
type family struct {
	name, help string
	labels     []string // names of the labels of each sample
}

// exposition is text in Prometheus' exposition format, version 0.0.4. The samples of a family come one after
// the other.
type exposition struct {
	text []byte
	last *family // that was begun last
}

// labelEscapes are the format's escapes inside the quotes of a label's value.
var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (e *exposition) gauge(f *family, v float64, labels ...string) {
	e.begin(f, "gauge")
	e.sample(f.name, f.labels, labels, v)
}

func (e *exposition) counter(f *family, n uint64, labels ...string) {
	e.begin(f, "counter")
	e.sample(f.name, f.labels, labels, float64(n))
}

// histogram takes how many observations were at most each of the bounds, which rise.
func (e *exposition) histogram(f *family, count uint64, sum time.Duration, most []time.Duration,
	counts []uint64) {
	e.begin(f, "histogram")
	bound := []string{"le"}
	for i, b := range most {
		e.sample(f.name+"_bucket", bound, []string{number(b.Seconds())}, float64(counts[i]))
	}
	e.sample(f.name+"_bucket", bound, []string{"+Inf"}, float64(count))
	e.sample(f.name+"_sum", nil, nil, sum.Seconds())
	e.sample(f.name+"_count", nil, nil, float64(count))
}

// begin writes the head of a family before its first sample.
func (e *exposition) begin(f *family, kind string) {
	if e.last == f {
		return
	}
	e.last = f
	e.text = append(e.text, "# HELP "+f.name+" "+f.help+"\n# TYPE "+f.name+" "+kind+"\n"...)
}

func (e *exposition) sample(name string, labels, values []string, v float64) {
	e.text = append(e.text, name...)
	separator := byte('{')
	for i, l := range labels {
		e.text = append(append(e.text, separator), l...)
		// a value is UTF-8, whatever a world's name is
		value := labelEscapes.Replace(strings.ToValidUTF8(values[i], "\uFFFD"))
		e.text = append(append(append(e.text, `="`...), value...), '"')
		separator = ','
	}
	if len(labels) > 0 {
		e.text = append(e.text, '}')
	}
	e.text = append(append(append(e.text, ' '), number(v)...), '\n')
}

// number is a float as the format has it: NaN, +Inf and -Inf are its words too.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
