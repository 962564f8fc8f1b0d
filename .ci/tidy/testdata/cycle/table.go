// Package cycle is a small package with cycles of calls between its files, for a test.
package cycle

type stage struct {
	name string
	run  func()
}

var stages = []stage{
	{name: "first", run: runFirst},
	{name: "second", run: push},
}

func runFirst() {
	hand(low)
	both()
}

func both() { pull(0) }

func hand(f func()) { f() }

// run is called by no other file: the table stands above all.
func run() {
	for _, s := range stages {
		s.run()
	}
	new(left).begin()
}
