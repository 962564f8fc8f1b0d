//go:build simdeck_check

package dynamics

// setInspect lets every world of a build with this tag check each stage, and panic where one does not hold
// what its table says. A step then takes several times as long. Worlds that leave the finite numbers panic
// too.
func (s *solver) setInspect() {
	c := new(stageChecker)
	s.inspect = c.after
}
