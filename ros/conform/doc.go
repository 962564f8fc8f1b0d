// Package conform tests simulators from outside against the standard simulation_interfaces. It has a table of
// checks over an attach.Remote, each with a sentence of the standard and a function that tests it. Features
// that a simulator does not advertise are skipped, and a difference where the standard is silent is no fault.
// The simulator is left as it was found, as far as possible. The same table tests simdeck itself.
package conform
