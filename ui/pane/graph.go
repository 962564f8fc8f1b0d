package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Graph is the list of the nodes, topics and services of the ROS graph.
type Graph struct {
	Rows
	filter Filter
	rows   []graphRow
	order  []int32
	taken  bool // there is a graph
	at     time.Time
}

// graphRow is a row of the list; the first letter of kind stands before it.
type graphRow struct {
	kind string // "node", "topic", "service"
	sim.GraphName
	rate float64   // Hz; < 0: not known
	past []float32 // rates of the last times, the newest last; at most pastSamples
	lost bool      // it had a publisher, and subscribers still wait for one
	info scene.Info
}

// stale reports that nothing comes any more of a topic of which something came a while ago.
func (r *graphRow) stale() bool {
	return r.rate == 0 && slices.ContainsFunc(r.past, func(v float32) bool { return v > 0 })
}

// bars are the rates of the last times, the highest of them full.
func (r *graphRow) bars() string {
	if len(r.past) == 0 {
		return ""
	}
	top := slices.Max(r.past)
	if top == 0 {
		return ""
	}
	out := make([]rune, len(r.past))
	for i, v := range r.past {
		out[i] = bar(v, top)
	}
	return string(out)
}

var _ List = (*Graph)(nil)

// Filter is the list's filter; tag:topic and the like choose a kind, tag:own
// what we take part in.
func (g *Graph) Filter() *Filter { return &g.filter }

// Feed does nothing: a picture of the world shows no graph.
func (g *Graph) Feed(*sim.Snapshot) {}

// Take takes what is known of the graph now. Rates are of the messages that
// passed since the time before.
func (g *Graph) Take(now sim.Graph, at time.Time) {
	before := map[string]graphRow{}
	for i := range g.rows {
		if r := &g.rows[i]; r.kind == "topic" {
			before[r.Name] = *r
		}
	}
	was, chosen := g.taken, g.selected()
	g.rows = g.rows[:0]
	for _, n := range now.Nodes {
		g.rows = append(g.rows, graphRow{kind: "node", GraphName: sim.GraphName{Name: n}, rate: -1})
	}
	for _, t := range now.Topics {
		r := graphRow{kind: "topic", GraphName: t, rate: -1}
		last, known := before[t.Name]
		if was && known && t.Own && t.Passed >= last.Passed && at.After(g.at) {
			r.rate = float64(t.Passed-last.Passed) / at.Sub(g.at).Seconds()
			r.past = append(last.past[max(0, len(last.past)-pastSamples+1):], float32(r.rate))
		}
		r.lost = known && t.Publishers == 0 && t.Subscribers > 0 && (last.Publishers > 0 || last.lost)
		g.rows = append(g.rows, r)
	}
	for _, s := range now.Services {
		g.rows = append(g.rows, graphRow{kind: "service", GraphName: s, rate: -1})
	}
	for i := range g.rows {
		r := &g.rows[i]
		r.info.Tags = append([]string{r.kind}, map[bool][]string{true: {"own"}}[r.Own]...)
	}
	g.taken, g.at = true, at
	g.refilter()
	if chosen != nil {
		g.choose(chosen.kind, chosen.Name)
	}
}

// choose puts the cursor onto the row that it was on.
func (g *Graph) choose(kind, name string) {
	for row, i := range g.order {
		if g.rows[i].kind == kind && g.rows[i].Name == name {
			g.Cursor = row
		}
	}
	g.fit(len(g.order), g.height)
}

// SetFilter shows only the rows that match a text.
func (g *Graph) SetFilter(text string) {
	g.filter.Set(text)
	g.refilter()
}

func (g *Graph) refilter() {
	g.order = g.filter.Rows(len(g.rows), func(i int) string { return g.rows[i].Name },
		func(i int) *scene.Info { return &g.rows[i].info })
	g.fit(len(g.order), g.height)
}

// selected is the selected row; nil when there is none.
func (g *Graph) selected() *graphRow {
	if g.Cursor >= len(g.order) {
		return nil
	}
	r := g.rows[g.order[g.Cursor]]
	return &r
}

// Count is the number of nodes, topics and services.
func (g *Graph) Count() (nodes, topics, services int) {
	for i := range g.rows {
		switch g.rows[i].kind {
		case "node":
			nodes++
		case "topic":
			topics++
		default:
			services++
		}
	}
	return nodes, topics, services
}

// Whole is all of the selected row: labels and values in turn; none when there
// is no row.
func (g *Graph) Whole() []string {
	r := g.selected()
	if r == nil {
		return nil
	}
	pairs := []string{r.kind, r.Name, "type", strings.Join(r.Types, ", ")}
	switch r.kind {
	case "topic":
		pairs = append(pairs, "publishers", fmt.Sprint(r.Publishers), "subscribers",
			fmt.Sprint(r.Subscribers), "quality of service", strings.Join(r.QoS, "; "), "rate", r.hertz())
	case "service":
		pairs = append(pairs, "servers", fmt.Sprint(r.Publishers), "clients", fmt.Sprint(r.Subscribers))
	}
	if r.kind != "node" {
		pairs = append(pairs, "simdeck",
			map[bool]string{true: "takes part", false: "takes no part; the rate is not known"}[r.Own])
	}
	return pairs
}

// Badge is the number of topics that lost their publisher, and its role.
func (g *Graph) Badge() (text string, role theme.Role) {
	n := 0
	for i := range g.rows {
		if g.rows[i].lost {
			n++
		}
	}
	if n == 0 {
		return "", theme.Plain
	}
	return fmt.Sprintf("!%d", n), theme.Bad
}

// hertz is the rate in at most nine columns; empty when it is not known.
func (r *graphRow) hertz() string {
	switch {
	case r.rate < 0:
		return ""
	case r.rate >= 99.5:
		return Number(r.rate, 0) + " Hz"
	}
	return Number(r.rate, 1) + " Hz"
}

// graphColumns are the widths of name, type, parties, rate, its curve and quality of service in w columns;
// 0: not shown.
func graphColumns(w int, rows []graphRow) (cols [6]int) {
	name, kind := 12, 12
	for i := range rows {
		name = max(name, canvas.TextWidth(rows[i].Name))
		kind = max(kind, canvas.TextWidth(strings.Join(rows[i].Types, " ")))
	}
	cols = [6]int{0, min(kind, 44), 7, 9, pastSamples, 30}
	for _, drop := range []int{5, 4, 1} {
		used := 4
		for _, c := range cols[1:] {
			if c > 0 {
				used += c + 1
			}
		}
		if cols[0] = min(name, w-used); cols[0] >= min(name, 24) {
			break
		}
		used -= cols[drop] + 1
		cols[drop] = 0
		cols[0] = min(name, w-used)
	}
	cols[0] = max(1, cols[0])
	return cols
}

// Draw fills the area.
func (g *Graph) Draw(a canvas.Area, v *View) {
	g.header = 1
	g.fit(len(g.order), a.H()-1)
	cols := graphColumns(a.W(), g.rows)
	x := 4
	for i, title := range [6]string{"name", "type", "pub→sub", "rate", "last 10 s", "quality of service"} {
		if cols[i] > 0 {
			if i == 2 || i == 3 {
				a.Right(x+cols[i], 0, title, theme.Label)
			} else {
				a.Clip(x, 0, cols[i], title, theme.Label)
			}
			x += cols[i] + 1
		}
	}
	if len(g.order) == 0 {
		a.Clip(2, 2, a.W()-2, g.empty(v), theme.Dim)
	}
	playing := v.Snap != nil && v.Snap.State == sim.Playing
	first, end := g.window()
	for row := first; row < end; row++ {
		g.row(a, row-first+1, &g.rows[g.order[row]], cols, playing)
		if row == g.Cursor {
			a.Put(0, row-first+1, '>', theme.Strong)
			a.Role(row-first+1, chosenIn(v.Focused))
		}
	}
}

func (g *Graph) empty(v *View) string {
	switch {
	case g.filter.On():
		return fmt.Sprintf("no matches for %q", g.filter.Text())
	case !v.Link.On:
		return "ROS is off"
	}
	return "looking"
}

func (g *Graph) row(a canvas.Area, y int, r *graphRow, cols [6]int, playing bool) {
	role := map[string]theme.Role{"node": theme.Accent, "topic": theme.Plain, "service": theme.Dim}[r.kind]
	a.Put(2, y, rune(r.kind[0]), theme.Label)
	x := a.Clip(4, y, cols[0], r.Name, cmp.Or(role, theme.Plain)) + 1
	texts := [6]string{"", strings.Join(r.Types, " "), fmt.Sprintf("%d→%d", r.Publishers, r.Subscribers),
		r.hertz(), r.bars(), strings.Join(r.QoS, "; ")}
	inks := [6]theme.Role{theme.Plain, theme.Dim, theme.Plain, theme.Good, theme.Good, theme.Dim}
	switch {
	case r.kind == "node":
		texts[2] = ""
	case r.lost:
		texts[2], inks[2] = "!"+texts[2], theme.Bad
	case playing && r.stale(): // while time stands, nothing is due
		texts[3], inks[3] = "!"+texts[3], theme.Warn
	}
	for i, text := range texts {
		switch {
		case i == 0 || cols[i] == 0:
			continue
		case i == 2 || i == 3 || i == 4:
			a.Right(x+cols[i], y, text, inks[i])
		default:
			a.Clip(x, y, cols[i], text, inks[i])
		}
		x += cols[i] + 1
	}
}
