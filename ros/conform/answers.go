package conform

import (
	"slices"
	"strings"
)

// answerChecks judge all answers to the checks before them.
func answerChecks() []Check {
	const section = "Answers"
	return []Check{
		{ID: "answers.codes", Section: section, In: Anyhow, Costs: TheWorld,
			Says: "every result is a code that its service has", run: func(p *Probe) {
				p.that(len(p.suite.answers) == 0, "%s", several(p.suite.answers))
			}},
		{ID: "answers.reasons", Section: section, In: Anyhow, Costs: TheWorld,
			Says: "every refusal has an error_message", run: func(p *Probe) {
				p.that(len(p.suite.mute) == 0, "without one: %s", several(p.suite.mute))
			}},
	}
}

// several lists what there is, each once and not too much.
func several(list []string) string {
	list = slices.Compact(slices.Sorted(slices.Values(list)))
	if len(list) > 8 {
		list = append(list[:8:8], "…")
	}
	return strings.Join(list, ", ")
}
