package sdf

import (
	"strconv"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// version of the format by its parts: 1.12 is after 1.9.
type version struct{ major, minor int }

// The newest version that the reader knows.
const newestMajor, newestMinor = 1, 12

func (v version) before(major, minor int) bool {
	return v.major < major || (v.major == major && v.minor < minor)
}

// versionOf reads the version attribute of <sdf>. None at all counts as the newest.
func versionOf(d *source.Doc, n *xmltree.Node) (version, error) {
	text, written := n.Attr("version")
	if !written {
		d.Note(scene.Suspicious, n, "<sdf> names no version; %d.%d is assumed", newestMajor, newestMinor)
		return version{newestMajor, newestMinor}, nil
	}
	major, rest, _ := strings.Cut(strings.TrimSpace(text), ".")
	minor, _, _ := strings.Cut(rest, ".")
	v := version{}
	var err error
	if v.major, err = strconv.Atoi(major); err == nil && minor != "" {
		v.minor, err = strconv.Atoi(minor)
	}
	if err != nil {
		return v, d.Errorf(n, "version %q is not a number such as 1.9", text)
	}
	if !v.before(newestMajor, newestMinor+1) {
		d.Note(scene.Suspicious, n, "version %q is newer than the newest known, %d.%d", text, newestMajor,
			newestMinor)
	}
	return v, nil
}
