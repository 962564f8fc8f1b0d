package cli

import "github.com/spf13/cobra"

// examples are lines that show what a command is for, where the command has none of its own. Tests read them,
// too.
var examples = map[string]string{
	"simdeck":    "  simdeck\n  simdeck warehouse --paused\n  simdeck robot.urdf.xacro arm:=left\n  simdeck my.sdf --namespace /lab --domain 7",
	"run":        "  simdeck run my.sdf --rtf 0 --duration 60s\n  simdeck run warehouse --no-ros --record monday\n  simdeck run a.sdf b.sdf --each-namespace\n  simdeck run my.sdf --metrics 9100",
	"serve":      "  simdeck serve warehouse --keys operators\n  simdeck serve my.sdf --listen 127.0.0.1:23234 --sessions 4 --idle 30m",
	"shot":       "  simdeck shot warehouse --after 2s --out warehouse.png\n  simdeck shot --camera scout/camera --out seen.png\n  simdeck shot --press view.camera --size 100x30 --out frame.txt\n  simdeck shot warehouse --after 0s --video 5s --press 'D up:2s esc' --out drive.gif",
	"check":      "  simdeck check robot.urdf world.sdf\n  simdeck check --strict robot.urdf\n  simdeck check --write-info models/*.sdf",
	"attach":     "  simdeck attach\n  simdeck attach --node gz_server\n  simdeck attach --peers robot-7 --read-only",
	"doctor":     "  simdeck doctor\n  simdeck doctor --interface eth0 --domain 7",
	"worlds":     "  simdeck worlds\n  simdeck worlds --path ~/worlds --json",
	"spawnables": "  simdeck spawnables --path ~/robots\n  simdeck spawnables --json",
	"poses":      "  simdeck poses warehouse\n  simdeck poses my.sdf --json",
	"list":       "  simdeck list\n  simdeck list --node /lab/simdeck --json",
	"step":       "  simdeck pause && simdeck step 250",
	"reset":      "  simdeck reset\n  simdeck reset time state",
	"delete":     "  simdeck delete crate_1 crate_2",
	"config":     "  simdeck config\n  SIMDECK_RTF=2 simdeck config",
	"keys":       "  simdeck keys\n  simdeck keys --markdown",
	"version":    "  simdeck version --json",
}

// exemplify gives a command and those under it the examples that they lack.
func exemplify(c *cobra.Command) {
	if c.Example == "" {
		c.Example = examples[c.Name()]
	}
	for _, child := range c.Commands() {
		exemplify(child)
	}
}
