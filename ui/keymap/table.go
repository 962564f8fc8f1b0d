package keymap

import (
	"fmt"
	"strings"

	"simdeck/sim/scene"
)

func (m *Map) nearest(action string) string {
	var names []string
	for _, b := range m.bindings {
		names = append(names, b.Action)
	}
	return scene.DidYouMean(action, names)
}

// Markers in a document between which Markdown's table stands.
const (
	Begin = "<!-- keys:begin -->"
	End   = "<!-- keys:end -->"
)

// Markdown is the table of all keys for a document.
func Markdown(m *Map) string {
	var b strings.Builder
	for _, c := range Contexts() {
		fmt.Fprintf(&b, "| %s | |\n| --- | --- |\n", heading(c))
		for _, k := range m.bindings {
			if k.Context == c {
				fmt.Fprintf(&b, "| %s | %s |\n", strings.ReplaceAll(cells(k.Keys), "|", "\\|"),
					strings.ReplaceAll(k.Comment, "|", "\\|"))
			}
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Text is the table of all keys for a terminal.
func Text(m *Map) string {
	var b strings.Builder
	for i, c := range Contexts() {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n", heading(c))
		for _, k := range m.bindings {
			if k.Context == c {
				fmt.Fprintf(&b, "  %-22s %-22s %s\n", strings.Join(k.Keys, " "), k.Action, k.Comment)
			}
		}
	}
	return b.String()
}

func heading(c Context) string {
	switch c {
	case InList:
		return "In lists"
	case OnMap:
		return "On the map"
	case OnCamera:
		return "In the camera"
	case Driving:
		return "While driving a robot"
	case Controlling:
		return "While controllers have the keys"
	case InDialog:
		return "In dialogs"
	case OnFleet:
		return "In the table of many simulators"
	}
	return "Everywhere"
}

func cells(keys []string) string {
	var out []string
	for _, k := range keys {
		out = append(out, "`"+k+"`")
	}
	return strings.Join(out, " ")
}
