package rmw

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ErrSettings says that a configuration of Zenoh cannot be obeyed; the text says where.
var ErrSettings = errors.New("configuration of Zenoh")

// maxSettings bounds a configuration, in octets.
const maxSettings = 1 << 20

// Settings is the part of a session's configuration that is obeyed.
type Settings struct {
	Connect []string // endpoints of routers: "tcp/localhost:7447"
}

// ParseSettings reads a session's configuration, JSON5 as ZENOH_SESSION_CONFIG_URI names it ("": none), and
// then an override as in ZENOH_CONFIG_OVERRIDE: "connect/endpoints=[\"tcp/10.0.0.2:7447\"];mode=\"client\"".
// Errors wrap ErrSettings.
func ParseSettings(file, override string) (s Settings, err error) {
	if len(file) > maxSettings || len(override) > maxSettings {
		return s, fmt.Errorf("%w: more than %d octets", ErrSettings, maxSettings)
	}
	var root struct {
		Mode    string
		Connect struct{ Endpoints yaml.Node }
	}
	if err := yaml.Unmarshal([]byte(plain(file)), &root); err != nil {
		return s, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	if err := checkMode(root.Mode); err != nil {
		return s, err
	}
	if err := s.connect(&root.Connect.Endpoints); err != nil {
		return s, err
	}
	for part := range strings.SplitSeq(override, ";") {
		key, value, ok := strings.Cut(part, "=")
		if key = strings.TrimSpace(key); key == "" {
			continue
		}
		var v yaml.Node
		if err := yaml.Unmarshal([]byte(plain(value)), &v); !ok || err != nil || len(v.Content) != 1 {
			return s, fmt.Errorf("%w: %q in the override, want KEY=VALUE with a value of JSON5", ErrSettings,
				part)
		}
		switch key {
		case "mode":
			err = checkMode(v.Content[0].Value)
		case "connect/endpoints":
			err = s.connect(v.Content[0])
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// checkMode refuses what simdeck is not. As a peer of others it is a client of their router.
func checkMode(mode string) error {
	switch mode {
	case "", "peer", "client":
		return nil
	}
	return fmt.Errorf("%w: mode %q, want peer or client: simdeck is no router", ErrSettings, mode)
}

// connect takes a list of endpoints, or one for each mode.
func (s *Settings) connect(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if mode := n.Content[i].Value; mode == "peer" || mode == "client" {
				n = n.Content[i+1]
				break
			}
		}
	}
	if n.Kind == 0 || n.Kind == yaml.MappingNode {
		return nil
	}
	var all []string
	if err := n.Decode(&all); err != nil {
		return fmt.Errorf("%w: connect/endpoints: %w", ErrSettings, err)
	}
	for _, e := range all {
		if err := CheckEndpoint(e); err != nil {
			return err
		}
	}
	s.Connect = all
	return nil
}

// CheckEndpoint reports why an endpoint cannot be connected to. Errors wrap ErrSettings.
func CheckEndpoint(e string) error {
	address, ok := strings.CutPrefix(e, "tcp/")
	if host, port, found := strings.Cut(address, ":"); !ok || !found || host == "" || port == "" {
		return fmt.Errorf("%w: endpoint %q, want tcp/HOST:PORT: no other protocol is spoken", ErrSettings, e)
	}
	return nil
}

// plain is JSON5 as YAML reads it: without comments and tabs.
func plain(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"' || c == '\'':
			end := i + 1
			for end < len(text) && text[end] != c {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			b.WriteString(text[i:end])
			i = end
		case strings.HasPrefix(text[i:], "//"):
			i += untilEnd(text[i:], "\n")
		case strings.HasPrefix(text[i:], "/*"):
			i += untilEnd(text[i+2:], "*/") + 2
			i = min(i+2, len(text))
		case c == '\t':
			b.WriteByte(' ')
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// untilEnd is the number of octets before the end of a comment.
func untilEnd(text, end string) int {
	if n := strings.Index(text, end); n >= 0 {
		return n
	}
	return len(text)
}

// Routers are the endpoints to connect to: those given, else those of the settings, else DefaultEndpoint.
func Routers(given []string, file, override string) ([]string, error) {
	for _, e := range given {
		if err := CheckEndpoint(e); err != nil {
			return nil, err
		}
	}
	if len(given) > 0 {
		return given, nil
	}
	s, err := ParseSettings(file, override)
	if err != nil {
		return nil, err
	}
	if len(s.Connect) == 0 {
		return []string{DefaultEndpoint}, nil
	}
	return s.Connect, nil
}
