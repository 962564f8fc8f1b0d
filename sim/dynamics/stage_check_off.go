//go:build !simdeck_check

package dynamics

// setInspect does nothing: the tag simdeck_check builds the checks of stages in.
func (s *solver) setInspect() {}
