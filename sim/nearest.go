package sim

import "fmt"

// nearest suggests the entity whose name is most like the one asked for.
func nearest(name string, all []*entity) string {
	best, least := "", max(2, len(name)/3)
	for _, e := range all[:min(len(all), 1000)] {
		if d := EditDistance(name, e.name, least); d < least {
			best, least = e.name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// EditDistance counts the letters to insert, delete or replace between two
// names (Levenshtein 1966); limit when it is at least that, or one is longer
// than 64 bytes.
func EditDistance(a, b string, limit int) int {
	if len(a) > 64 || len(b) > 64 || len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	var row [65]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(b)], limit)
}
