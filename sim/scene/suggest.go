package scene

import "fmt"

// Bounds of looking for a name that is spelled like another.
const maxSpelled, maxSpellings = 64, 1000

// Suggest is the candidate, of the first thousand, that is spelled most like a name; empty when none is near.
// Two letters may differ, one in names of two or three, a third of long ones. It serves every message that
// something is not known. Names of more than 64 bytes have none.
func Suggest(name string, candidates []string) string {
	if len(name) > maxSpelled {
		return ""
	}
	best, near := max(min(2, len(name)/2), len(name)/3)+1, ""
	for _, c := range candidates[:min(len(candidates), maxSpellings)] {
		if len(c) > maxSpelled || max(len(c)-len(name), len(name)-len(c)) >= best {
			continue
		}
		if d := spelled(name, c); d < best {
			best, near = d, c
		}
	}
	return near
}

// DidYouMean ends the message that a name is not known: it asks whether the candidate that is spelled most
// like it was meant. It is empty when none is near, or when the name itself is the nearest.
func DidYouMean(name string, candidates []string) string {
	if near := Suggest(name, candidates); near != "" && near != name {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// spelled counts the letters to insert, remove, replace or exchange with their neighbors (optimal string
// alignment: Damerau 1964, Levenshtein 1966).
func spelled(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, above, row = above, row, before
		row[0] = i + 1
		for j := range len(b) {
			cost := above[j]
			if a[i] != b[j] {
				cost++
			}
			cost = min(cost, row[j]+1, above[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				cost = min(cost, before[j-1]+1)
			}
			row[j+1] = cost
		}
	}
	return row[len(b)]
}
