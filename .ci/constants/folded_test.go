package main

import "testing"

// TestAnExpressionKeepsItsExactValueWhileItsVariablesHaveTheirs: 1-0.9 of variables is not 0.1.
func TestAnExpressionKeepsItsExactValueWhileItsVariablesHaveTheirs(t *testing.T) {
	const text = "package p\n\nconst part = 0.9\n\nvar rest, most = x * (1 - part), 2*part/other.Least\n"
	const want = "package p\n\nconst partAsDeclared = 0.9\n\n" +
		"var rest, most = x * (1 - part), " +
		"func() float64 { if part == partAsDeclared && other.Least == other.LeastAsDeclared " +
		"{ return 2*partAsDeclared/other.LeastAsDeclared }; return 2*part/other.Least }()\n"
	at := func(n int) foldedUse {
		const from = len("package p\n\nconst part = 0.9\n\nvar rest, most = x * (1 - part), ")
		return foldedUse{file: "p.go", from: from, to: len(text) - 1, at: from + n}
	}
	all := []constant{
		{name: "part", file: "p.go", nameAt: 17, variable: "float64", folded: []foldedUse{at(6)}},
		{name: "Least", file: "other.go", variable: "float64", folded: []foldedUse{at(18)}},
		{name: "length", file: "p.go", nameAt: 1, folded: []foldedUse{at(1)}}, // no variable stands for it
	}
	if got := edits(all)["p.go"].apply(text); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
