// Package workers keeps a worker running for each simulation of a file: here as a process, elsewhere by
// manifests for Kubernetes and Docker Swarm.
package workers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ErrFile is a file of simulations that is wrong.
var ErrFile = errors.New("simulations")

// MostSimulations bounds a file.
const MostSimulations = 1000

// Simulation is a simulation that is asked for, with the names of l2_msgs/Simulation.
type Simulation struct {
	Namespace  string `yaml:"ns"`
	ReportPath string `yaml:"report_path"` // topic that gets its status as well; empty: none
	Object     string `yaml:"object"`      // its world: a file, or the name of one in the storage or of a shipped world
	Publisher  string `yaml:"-"`           // participant that asks for it; empty: a file does
	line       int
}

// names matches names of ROS with namespaces.
var names = regexp.MustCompile(`^/?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*$`)

// Parse reads a file of simulations: a list under the key simulations. Errors wrap ErrFile and say where.
func Parse(name string, data []byte) ([]Simulation, error) {
	var file struct {
		Simulations []yaml.Node `yaml:"simulations"`
	}
	if err := decode(bytes.NewReader(data), &file); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrFile, name, err)
	}
	if n := len(file.Simulations); n == 0 || n > MostSimulations {
		return nil, fmt.Errorf("%w: %s: %d simulations; want 1 to %d, as a list under the key simulations",
			ErrFile, name, n, MostSimulations)
	}
	all := make([]Simulation, len(file.Simulations))
	taken := map[string]int{}
	for i := range file.Simulations {
		n := &file.Simulations[i]
		s := &all[i]
		text, err := yaml.Marshal(n)
		if err == nil {
			err = decode(bytes.NewReader(text), s)
		}
		if s.line = n.Line; err == nil {
			err = s.check()
		}
		if other, known := taken[s.Namespace]; err == nil && known {
			err = fmt.Errorf("ns %q is that of line %d, too: topics of both would collide", s.Namespace, other)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %s:%d: %w", ErrFile, name, n.Line, err)
		}
		taken[s.Namespace] = s.line
	}
	return all, nil
}

// objects matches names of objects that a stranger may ask for: of no file and no address.
var objects = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_ -]*(\.[A-Za-z0-9_-]+)*$`)

// CheckAsked says what is wrong with a simulation that somebody on the network asks for. Its object is a name
// for the storage node.
func (s *Simulation) CheckAsked() error {
	if err := s.check(); err != nil {
		return err
	}
	if !objects.MatchString(s.Object) {
		return fmt.Errorf("object %q: want the name of a world in the storage or of a shipped one, of letters, digits, dots and dashes",
			s.Object)
	}
	return nil
}

// decode reads one document of known keys.
func decode(in io.Reader, into any) error {
	d := yaml.NewDecoder(in)
	d.KnownFields(true)
	if err := d.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// check says what is wrong with a simulation.
func (s *Simulation) check() error {
	const longest = 200
	switch {
	case len(s.Namespace) > longest || !names.MatchString(s.Namespace):
		return fmt.Errorf("ns %q: want a namespace of ROS, as /lab_1", s.Namespace)
	case s.ReportPath != "" && (len(s.ReportPath) > longest || !names.MatchString(s.ReportPath)):
		return fmt.Errorf("report_path %q: want a topic of ROS, as /status", s.ReportPath)
	case s.Object == "" || len(s.Object) > 10*longest || strings.ContainsFunc(s.Object, control):
		return fmt.Errorf("object %q: want the file of a world, or the name of one in the storage or of a shipped world", s.Object)
	}
	return nil
}

func control(r rune) bool { return r < ' ' || r == 0x7f }

// Args are the arguments of simdeck for the worker of a simulation. Values stand behind =, so that none is
// taken for a flag.
func (s *Simulation) Args(more []string) []string {
	args := []string{"run", "--worker", "--namespace=" + s.Namespace, "--object-config=" + s.Object}
	if s.ReportPath != "" {
		args = append(args, "--report-path="+s.ReportPath)
	}
	return append(args, more...)
}

// notInLabels matches runs of characters that names of Kubernetes may not hold.
var notInLabels = regexp.MustCompile(`[^a-z0-9]+`)

// label is the namespace as the name of a thing of Kubernetes or Swarm.
func (s *Simulation) label(i int) string {
	name := notInLabels.ReplaceAllString(strings.ToLower(s.Namespace), "-")
	name = strings.Trim(name, "-")
	if len(name) > 40 {
		name = strings.Trim(name[:40], "-")
	}
	return fmt.Sprintf("simdeck-%d-%s", i+1, name)
}
