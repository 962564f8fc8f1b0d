package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// passagesOf are those of the body of a page.
func passagesOf(t *testing.T, body string) []passage {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return (&page{title: "Title", body: doc}).passages()
}

func TestTheFirstCellOfARowNamesWhatItDescribes(t *testing.T) {
	for _, c := range []struct {
		cell string
		want []string
	}{
		{"<code>cmd_vel</code>", []string{"cmd_vel"}},
		{"<code>/clock</code>", []string{"clock"}},
		{"<code>NAME/odom</code>", []string{"odom"}},
		{"<code>--spawn-from</code>", []string{"spawn-from"}},
		{"<code>imu</code>, <code>Gyro</code>", []string{"imu", "gyro"}},
		{"<code>simdeck sweep FILE --kubernetes</code>", nil}, // a command line
		{"<code>ros/mcap</code>", nil},                        // a path
		{"lidar", nil},                                        // prose
	} {
		all := passagesOf(t, "<h1>Title</h1><table><tr><th><code>topic</code></th></tr><tr><td>"+c.cell+
			"</td><td><code>other</code></td></tr><tr><td>"+c.cell+"</td></tr></table>")
		if len(all) != 1 || !slices.Equal(all[0].names, c.want) {
			t.Errorf("%s names %+v, want %q once", c.cell, all, c.want)
		}
	}
}

func TestARowThatNamesAWordWeighsMoreThanSentencesThatHaveItOften(t *testing.T) {
	weights := func(body string) map[string]int {
		s := passagesOf(t, "<h1>Title</h1>"+body)[0]
		weights := map[string]int{}
		weighText(weights, s.text)
		weighNames(weights, s.names)
		return weights
	}
	row := weights("<table><tr><td><code>cmd_vel</code></td><td>taken</td></tr></table>")
	mentioned := weights("<p>" + strings.Repeat("<code>cmd_vel</code> ", 50) + "</p>")
	var others strings.Builder
	for i := range 50 {
		fmt.Fprintf(&others, "<tr><td><code>x%d</code></td></tr>", i)
	}
	long := weights("<table><tr><td><code>cmd_vel</code></td></tr>" + others.String() + "</table>")
	if row["cmd_vel"] <= mentioned["cmd_vel"] || row["taken"] >= row["cmd_vel"] {
		t.Errorf("a row weighs %v, mentions weigh %v", row, mentioned)
	}
	if long["cmd_vel"] >= row["cmd_vel"] {
		t.Errorf("a row among many weighs %d, alone %d", long["cmd_vel"], row["cmd_vel"])
	}
	heading := map[string]int{}
	weigh(heading, "cmd_vel", headingWeight)
	if heading["cmd_vel"] <= row["cmd_vel"] {
		t.Errorf("a row weighs %d, a heading %d", row["cmd_vel"], heading["cmd_vel"])
	}
}
