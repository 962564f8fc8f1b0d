package metrics

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// family is a metric family: all samples of one name.
type family struct {
	name, help string
	labels     []string // names of the labels of each sample
}

// exposition is text in Prometheus' exposition format, version 0.0.4.
type exposition struct {
	families map[string][]byte // by name: the samples of a family stand together
}

// text is the whole, in the order of the names.
func (e *exposition) text() []byte {
	var all []byte
	for _, name := range slices.Sorted(maps.Keys(e.families)) {
		all = append(all, e.families[name]...)
	}
	return all
}

// labelEscapes are the format's escapes inside the quotes of a label's value.
var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (e *exposition) gauge(f *family, v float64, labels ...string) {
	e.add(f, "gauge", func(to []byte) []byte { return sample(to, f.name, f.labels, labels, v) })
}

func (e *exposition) counter(f *family, n uint64, labels ...string) {
	e.add(f, "counter", func(to []byte) []byte { return sample(to, f.name, f.labels, labels, float64(n)) })
}

// histogram takes how many observations were at most each of the bounds, which rise.
func (e *exposition) histogram(f *family, count uint64, sum time.Duration, most []time.Duration,
	counts []uint64) {
	e.add(f, "histogram", func(to []byte) []byte {
		bound := []string{"le"}
		for i, b := range most {
			to = sample(to, f.name+"_bucket", bound, []string{number(b.Seconds())}, float64(counts[i]))
		}
		to = sample(to, f.name+"_bucket", bound, []string{"+Inf"}, float64(count))
		to = sample(to, f.name+"_sum", nil, nil, sum.Seconds())
		return sample(to, f.name+"_count", nil, nil, float64(count))
	})
}

// add appends samples to those of a family, whose head comes before the first.
func (e *exposition) add(f *family, kind string, samples func(to []byte) []byte) {
	if e.families == nil {
		e.families = map[string][]byte{}
	}
	to := e.families[f.name]
	if to == nil {
		to = []byte("# HELP " + f.name + " " + f.help + "\n# TYPE " + f.name + " " + kind + "\n")
	}
	e.families[f.name] = samples(to)
}

// sample appends the line of a sample.
func sample(to []byte, name string, labels, values []string, v float64) []byte {
	to = append(to, name...)
	separator := byte('{')
	for i, l := range labels {
		to = append(append(to, separator), l...)
		// a value is UTF-8, whatever a world's name is
		value := labelEscapes.Replace(strings.ToValidUTF8(values[i], "\uFFFD"))
		to = append(append(append(to, `="`...), value...), '"')
		separator = ','
	}
	if len(labels) > 0 {
		to = append(to, '}')
	}
	return append(append(append(to, ' '), number(v)...), '\n')
}

// number is a float as the format has it: NaN, +Inf and -Inf are its words too.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
