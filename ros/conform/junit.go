package conform

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"
)

// The elements of a JUnit report, as CI systems read them.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name      string      `xml:"name,attr"`
		Tests     int         `xml:"tests,attr"`
		Failures  int         `xml:"failures,attr"`
		Skipped   int         `xml:"skipped,attr"`
		Time      string      `xml:"time,attr"`
		Timestamp string      `xml:"timestamp,attr"`
		Cases     []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string      `xml:"name,attr"`
		Class   string      `xml:"classname,attr"`
		Time    string      `xml:"time,attr"`
		Failure *junitBlame `xml:"failure"`
		Skipped *junitBlame `xml:"skipped"`
		Output  string      `xml:"system-out,omitempty"`
	}
	junitBlame struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the report for CI: a suite per section. A difference where the standard is silent passes,
// with a note in the output.
func (r *Report) WriteJUnit(w io.Writer) error {
	all := junitSuites{Name: "simulation_interfaces of " + r.Simulator}
	at := map[string]int{}
	took := map[string]time.Duration{}
	for _, one := range r.Results {
		section := one.Check.Section
		i, ok := at[section]
		if !ok {
			i = len(all.Suites)
			at[section] = i
			all.Suites = append(all.Suites,
				junitSuite{Name: section, Timestamp: r.Began.UTC().Format("2006-01-02T15:04:05")})
		}
		s := &all.Suites[i]
		c := junitCase{Name: one.Check.ID, Class: section, Time: seconds(one.Took)}
		switch one.Status {
		case Failed:
			c.Failure = &junitBlame{one.Detail, one.Check.Says}
			s.Failures++
			all.Failures++
		case Skipped:
			c.Skipped = &junitBlame{Message: one.Detail}
			s.Skipped++
			all.Skipped++
		case Differs:
			c.Output = "differs: " + one.Detail
		}
		s.Cases = append(s.Cases, c)
		s.Tests++
		all.Tests++
		took[section] += one.Took
		s.Time = seconds(took[section])
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
