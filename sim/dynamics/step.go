package dynamics

import "fmt"

// maxStep is the longest step, in seconds, that Step takes.
const maxStep = 0.1

// Step moves the world by dt seconds. An ErrInvalid says that dt cannot be, and nothing happened, or
// that a body left the finite numbers: that body stays where it was, at rest, and its name is in the
// message. With Config.Contain there is no such error: Faults tells what was contained.
func (w *World) Step(dt float64) error {
	if !(dt > 0) || dt > maxStep {
		return fmt.Errorf("%w: step of %v s, must be above 0 and at most %v", ErrInvalid, dt, maxStep)
	}
	w.cfg.Workers.begin(w)
	w.dropSleepEvents()
	w.measureArticulations(false)
	if dt != w.lastDt {
		w.lastDt = dt
		w.invalidateAll()
	}
	lap := w.startLap()
	w.findPairs()
	w.compactContacts()
	lap.end(StageBroad)
	w.collide()
	lap.end(StageNarrow)
	w.prepare(dt)
	lap.end(StagePrepare)
	w.solve()
	lap.end(StageSolve)
	contained := w.cfg.Contain && w.contain()
	lost := w.finish()
	if contained {
		w.forgetFaulty()
	}
	lap.end(StageFinish)
	w.fallAsleep(dt)
	lap.end(StageSleep)
	w.cfg.Workers.end()
	w.steps++
	w.eventsSeen = len(w.events)
	if lost >= 0 {
		return fmt.Errorf("%w: %v moved to infinity in step %d; it was put to rest where it was",
			ErrInvalid, w.bodyID(lost), w.steps)
	}
	return nil
}
