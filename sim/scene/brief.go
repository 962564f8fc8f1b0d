package scene

import (
	"fmt"
	"regexp"
)

// endlessNumber is a number with more digits than anybody reads.
var endlessNumber = regexp.MustCompile(`\d{41,}`)

// Brief is a message in which numbers that nobody reads to their end are cut.
func Brief(text string) string {
	return endlessNumber.ReplaceAllStringFunc(text, func(digits string) string {
		return fmt.Sprintf("%s…(%d digits)", digits[:20], len(digits))
	})
}
