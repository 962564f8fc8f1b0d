package batch

import "simdeck/sim/sweep"

// RunJSON is a run in the JSON of sweep --list.
type RunJSON struct {
	Run    int               `json:"run"`
	Values map[string]string `json:"values"`
}

// RunsJSON lists the runs of a sweep for JSON.
func RunsJSON(s *sweep.Sweep) []RunJSON {
	all := []RunJSON{}
	for i := range s.Runs {
		r := RunJSON{Run: i, Values: map[string]string{}}
		for _, key := range s.Keys {
			if v := s.Runs[i].Value(key); v != "" {
				r.Values[key] = v
			}
		}
		all = append(all, r)
	}
	return all
}

// SweepJSON is the JSON of a sweep that is done.
type SweepJSON struct {
	Runs      int            `json:"runs"`
	Done      int            `json:"done"`
	Outcomes  map[string]int `json:"outcomes"`
	NotPassed []Row          `json:"not_passed"`
}

// ResultsJSON says for JSON what became of the runs.
func ResultsJSON(s *sweep.Sweep, rows map[int]Row) SweepJSON {
	r := SweepJSON{Runs: len(s.Runs), Outcomes: map[string]int{}, NotPassed: []Row{}}
	for i := range s.Runs {
		row, ok := rows[i]
		if !ok {
			continue
		}
		r.Done++
		r.Outcomes[string(row.Outcome)]++
		if row.Outcome != sweep.Passed {
			r.NotPassed = append(r.NotPassed, row)
		}
	}
	return r
}
