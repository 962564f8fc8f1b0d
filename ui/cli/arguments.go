package cli

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// assignment is an argument of a file with macros, as ROS writes it.
var assignment = regexp.MustCompile(`^([A-Za-z_]\w*):=(.*)$`)

// withArguments puts each name:=value into the address of the file before it: robot.urdf.xacro?name=value.
func withArguments(args []string) []string {
	var out []string
	for _, a := range args {
		m := assignment.FindStringSubmatch(a)
		if m == nil || len(out) == 0 {
			out = append(out, a)
			continue
		}
		joint := "?"
		if strings.Contains(out[len(out)-1], "?") {
			joint = "&"
		}
		out[len(out)-1] += joint + m[1] + "=" + url.QueryEscape(m[2])
	}
	return out
}

// oneWorld allows one world, with the arguments of its file behind it.
func oneWorld(cmd *cobra.Command, args []string) error {
	return cobra.MaximumNArgs(1)(cmd, withArguments(args))
}

// macroFile cuts the arguments off a file with macros; query has its question mark.
func macroFile(name string) (file, query string) {
	if at := strings.Index(name, ".xacro?"); at >= 0 {
		return name[:at+len(".xacro")], name[at+len(".xacro"):]
	}
	return name, ""
}
