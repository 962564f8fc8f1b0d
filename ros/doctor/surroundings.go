package doctor

import (
	"fmt"
	"slices"
	"strings"

	"simdeck/ros/rtps/wire"
)

// Host is a way to the environment and the files of this machine: os.Getenv and os.ReadFile, or stand-ins. A
// nil function finds nothing.
type Host struct {
	Getenv   func(name string) string
	ReadFile func(path string) ([]byte, error)
}

func (h Host) env(name string) string {
	if h.Getenv == nil {
		return ""
	}
	return strings.TrimSpace(h.Getenv(name))
}

func (h Host) file(path string) (text string, there bool) {
	if h.ReadFile == nil {
		return "", false
	}
	b, err := h.ReadFile(path)
	return string(b), err == nil
}

// surroundings tells, by its signs, a setting or a network that keeps nodes from finding simdeck although
// everything on this machine works.
func surroundings(h Host, links []wire.Link) []Finding {
	var all []Finding
	if server := h.env("ROS_DISCOVERY_SERVER"); server != "" {
		all = append(all, Finding{What: "discovery server", Bad: true,
			Said: fmt.Sprintf("ROS_DISCOVERY_SERVER is %q: nodes that obey it ask that server alone, and simdeck does not",
				server),
			Fix: "unset it for the nodes that are to find simdeck; where multicast is blocked, set ROS_STATIC_PEERS to this host there, or --peers HOST here"})
	}
	if rmw := h.env("RMW_IMPLEMENTATION"); strings.HasPrefix(rmw, "rmw_zenoh") {
		all = append(all, Finding{What: "middleware", Bad: true,
			Said: fmt.Sprintf("RMW_IMPLEMENTATION is %q: nodes with it speak Zenoh, and this looks at the network of DDS", rmw),
			Fix:  "--rmw zenoh for simdeck, or dds,zenoh for both; or RMW_IMPLEMENTATION=rmw_fastrtps_cpp for the nodes that are to find it"})
	}
	inside := private(links)
	if inside == "" {
		return all
	}
	_, docker := h.file("/.dockerenv")
	_, podman := h.file("/run/.containerenv")
	kernel, _ := h.file("/proc/sys/kernel/osrelease")
	switch {
	case docker || podman:
		all = append(all, Finding{What: "container",
			Said: inside + ": a container on a bridge of its own, which multicast does not leave",
			Fix:  "to meet nodes outside: run the container with --network host; on the bridge, nodes of its containers meet"})
	case strings.Contains(strings.ToLower(kernel), "microsoft"):
		all = append(all, Finding{What: "WSL",
			Said: inside + ": WSL behind the address translation of Windows, which multicast does not pass",
			Fix:  "to meet nodes elsewhere: networkingMode=mirrored under [wsl2] in %UserProfile%\\.wslconfig, then wsl --shutdown"})
	}
	return all
}

// private gives the first address of this machine when all are in 172.16.0.0/12, from which bridges of
// containers and WSL have theirs; "" otherwise.
func private(links []wire.Link) (first string) {
	for _, l := range links {
		if l.Loopback {
			continue
		}
		if slices.ContainsFunc(l.Meta, func(m wire.Locator) bool {
			a := m.IPv4()
			return a[0] != 172 || a[1]&0xf0 != 16
		}) {
			return ""
		}
		for _, m := range l.Meta {
			if a := m.IPv4(); first == "" {
				first = fmt.Sprintf("%d.%d.%d.%d", a[0], a[1], a[2], a[3])
			}
		}
	}
	return first
}
