package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// listFile names the constants that their tests do not notice, one a line. It may only shrink.
const listFile = ".ci/constants/unnoticed.txt"

// compareList compares the rows with the list: a row that is not noticed must be of it, and a row that is
// noticed must not.
func compareList(rows []*constant, o options) error {
	text, err := os.ReadFile(listFile)
	if err != nil {
		return err
	}
	listed := strings.Fields(string(text))
	var failed []error
	unnoticed, excused := 0, 0
	for _, c := range rows {
		seen := c.excuse || c.doubled == noticed || c.halved == noticed
		if c.excuse {
			excused++
		}
		at := slices.Index(listed, c.name)
		switch {
		case !seen && at < 0:
			failed = append(failed, fmt.Errorf(
				"%s: %s passes with half and with twice %s: name a test in %s "+
					"that fails with one of them", c.name, c.test, c.value, page))
		case seen && at >= 0 && o.update:
			listed = slices.Delete(listed, at, at+1)
		case seen && at >= 0:
			failed = append(failed, fmt.Errorf(
				"%s is noticed by %s, or excused: delete it from %s, or use -update",
				c.name, c.test, listFile))
		}
		if !seen {
			unnoticed++
		}
	}
	fmt.Printf("%d rows: %d noticed, %d not noticed, %d not varied\n", len(rows),
		len(rows)-unnoticed-excused, unnoticed, excused)
	if o.update && o.run == "" {
		slices.Sort(listed)
		failed = append(failed, os.WriteFile(listFile, []byte(strings.Join(listed, "\n")+"\n"), 0o600))
	}
	return errors.Join(failed...)
}
