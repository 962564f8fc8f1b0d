package rosidl

import (
	"fmt"
	"strings"
)

// ParseMsg parses a .msg file; name is the full one, "geometry_msgs/msg/Point". Errors are *Error.
func ParseMsg(file, name, text string) (*Struct, error) {
	parts, err := parseSections(file, name, text, "")
	if err != nil {
		return nil, err
	}
	return parts[0], nil
}

// ParseSrv parses a .srv file; name is the full one, "std_srvs/srv/SetBool". Errors are *Error.
func ParseSrv(file, name, text string) (*Service, error) {
	parts, err := parseSections(file, name, text, "_Request", "_Response")
	if err != nil {
		return nil, err
	}
	return newService(name, parts[0], parts[1]), nil
}

// ParseAction parses a .action file; name is the full one, "control_msgs/action/FollowJointTrajectory".
// Errors are *Error.
func ParseAction(file, name, text string) (*Action, error) {
	parts, err := parseSections(file, name, text, "_Goal", "_Result", "_Feedback")
	if err != nil {
		return nil, err
	}
	return newAction(name, parts[0], parts[1], parts[2]), nil
}

// parseSections parses as many sections as there are suffixes; the sections' types are called name+suffix.
func parseSections(file, name, text string, suffixes ...string) ([]*Struct, error) {
	pkg, kind, short, ok := splitName(name)
	if !ok || !isFieldName(pkg) || kind == "" || !isTypeName(short) {
		problem := fmt.Sprintf("%q, want package/msg/Name with the package in lower case and the name in camel case",
			name)
		return nil, &Error{Position{file, 1, 1}, problem, ErrName}
	}
	parts := []*Struct{{Name: name + suffixes[0], Position: Position{file, 1, 1}}}
	n := 0
	for row := range strings.Lines(text) {
		n++
		l := &line{text: strings.TrimRight(row, "\r\n"), at: Position{file, n, 1}, pkg: pkg}
		if strings.TrimSpace(l.text) == "---" {
			if len(parts) == len(suffixes) {
				return nil, l.fail(0, ErrSections, "one \"---\" too many, a file of this kind has %d",
					len(suffixes)-1)
			}
			parts = append(parts, &Struct{Name: name + suffixes[len(parts)], Position: l.at})
			continue
		}
		if err := l.parse(parts[len(parts)-1]); err != nil {
			return nil, err
		}
	}
	if len(parts) < len(suffixes) {
		end := &line{at: Position{file, max(n, 1), 1}}
		return nil, end.fail(0, ErrSections, "%d \"---\", a file of this kind has %d", len(parts)-1,
			len(suffixes)-1)
	}
	return parts, nil
}

// splitName takes "pkg/msg/Name" apart.
func splitName(name string) (pkg, kind, short string, ok bool) {
	pkg, rest, ok1 := strings.Cut(name, "/")
	kind, short, ok2 := strings.Cut(rest, "/")
	return pkg, kind, short, ok1 && ok2
}
