package node

import (
	"errors"
	"fmt"
	"strings"
)

// ErrName is wrapped by every error about a name that ROS does not allow.
var ErrName = errors.New("name not allowed")

// maxName is the greatest length of a full topic or service name in rmw; DDS takes 256 bytes, with our prefix
// and suffix.
const maxName = 245

// CheckNodeName reports why name is no node name: letters, digits and _, not
// starting with a digit (rmw validate_node_name).
func CheckNodeName(name string) error {
	if name == "" {
		return fmt.Errorf("%w: the node name is empty, want letters, digits and _", ErrName)
	}
	if len(name) > 255 {
		return fmt.Errorf("%w: the node name has %d bytes, at most 255 are allowed", ErrName, len(name))
	}
	return checkToken("node name", name, name)
}

// CheckNamespace reports why ns is no namespace: "/" or tokens that each
// begin with a slash (rmw validate_namespace).
func CheckNamespace(ns string) error {
	if ns == "/" {
		return nil
	}
	if !strings.HasPrefix(ns, "/") {
		return fmt.Errorf("%w: the namespace %q does not begin with /", ErrName, ns)
	}
	return checkTokens("namespace", ns)
}

// checkTokens checks the tokens between the slashes of an absolute name.
func checkTokens(what, name string) error {
	if len(name) > maxName {
		return fmt.Errorf("%w: the %s has %d bytes, at most %d are allowed", ErrName, what, len(name),
			maxName)
	}
	for token := range strings.SplitSeq(name[1:], "/") {
		if err := checkToken(what, name, token); err != nil {
			return err
		}
	}
	return nil
}

func checkToken(what, name, token string) error {
	if token == "" {
		return fmt.Errorf("%w: the %s %q has an empty part between slashes or at its end", ErrName, what,
			name)
	}
	if token[0] >= '0' && token[0] <= '9' {
		return fmt.Errorf("%w: in the %s %q the part %q begins with a digit", ErrName, what, name, token)
	}
	for i, r := range token {
		if r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return fmt.Errorf("%w: in the %s %q the part %q has %q at byte %d, only letters, digits and _ are allowed",
				ErrName, what, name, token, r, i)
		}
	}
	return nil
}

// Expand is a topic's or service's full name as ROS resolves it. "/a" stays, "a" gets the namespace, "~/a"
// namespace and node name. The words {node}, {ns} and {namespace} are replaced. Errors wrap ErrName.
func Expand(name, ns, node string) (string, error) {
	if name == "" {
		return "", fmt.Errorf("%w: the topic or service name is empty", ErrName)
	}
	full := strings.NewReplacer("{node}", node, "{ns}", ns, "{namespace}", ns).Replace(name)
	switch {
	case full == "~":
		full = Join(ns, node)
	case strings.HasPrefix(full, "~/"):
		full = Join(Join(ns, node), full[2:])
	case !strings.HasPrefix(full, "/"):
		full = Join(ns, full)
	}
	return full, checkTokens("name", full)
}

// Join puts a relative name into a namespace; an absolute name stays as it is.
func Join(ns, name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return strings.TrimSuffix(ns, "/") + "/" + name
}

// Relative makes a part of a ROS name of any text: illegal characters become _, and a leading digit gets one
// before it. Leading, trailing and double slashes go. It is empty only when nothing is left.
func Relative(text string) string {
	var parts []string
	for part := range strings.SplitSeq(text, "/") {
		if part == "" {
			continue
		}
		clean := strings.Map(func(r rune) rune {
			if r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
				return r
			}
			return '_'
		}, part)
		if clean[0] >= '0' && clean[0] <= '9' {
			clean = "_" + clean
		}
		parts = append(parts, clean)
	}
	return strings.Join(parts, "/")
}

// The names of DDS topics (ROS 2 design, "Topic and Service name mapping to
// DDS"): a prefix tells topics, requests and replies apart.
func ddsTopic(name string) string   { return "rt" + name }
func ddsRequest(name string) string { return "rq" + name + "Request" }
func ddsReply(name string) string   { return "rr" + name + "Reply" }

// rosKind is the ROS kind of a DDS topic.
type rosKind uint8

const (
	notROS rosKind = iota
	rosTopic
	rosRequest
	rosReply
)

// rosName is the reverse of ddsTopic, ddsRequest and ddsReply.
func rosName(dds string) (string, rosKind) {
	switch {
	case strings.HasPrefix(dds, "rt/"):
		return dds[2:], rosTopic
	case strings.HasPrefix(dds, "rq/") && strings.HasSuffix(dds, "Request"):
		return strings.TrimSuffix(dds[2:], "Request"), rosRequest
	case strings.HasPrefix(dds, "rr/") && strings.HasSuffix(dds, "Reply"):
		return strings.TrimSuffix(dds[2:], "Reply"), rosReply
	}
	return dds, notROS
}

// hidden reports whether tools leave a name out unless they are asked: a part
// of it begins with _.
func hidden(name string) bool { return strings.Contains(name, "/_") }

// rosType is the ROS name of a DDS type: "pkg::msg::dds_::Name_" is "pkg/msg/Name"; requests and responses,
// of actions too, give the service.
func rosType(dds string) string {
	parts := strings.Split(dds, "::")
	if len(parts) < 3 || parts[len(parts)-2] != "dds_" {
		return dds
	}
	name := strings.TrimSuffix(parts[len(parts)-1], "_")
	if kind := parts[len(parts)-3]; kind == "srv" || kind == "action" {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "_Request"), "_Response")
	}
	return strings.Join(append(parts[:len(parts)-2:len(parts)-2], name), "/")
}
