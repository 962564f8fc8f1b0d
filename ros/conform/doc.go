// Package conform tests simulators from outside against the standard
// simulation_interfaces: a table of checks over an attach.Remote, each a
// sentence of the standard and a function that finds out whether it holds. What
// a simulator does not advertise is skipped, where the standard is silent a
// difference is told apart from a fault, and the simulator is left as it was
// found, as far as that is possible. The same table tests simdeck itself.
package conform
