package webots

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"simdeck/sim"
)

const (
	quitTime      = time.Second            // in which a controller that was told to quit may end by itself
	terminateTime = 2 * time.Second        // in which it may end after SIGTERM, before it is killed
	outputTime    = time.Second            // for which its output may stay open behind it
	restartPause  = 500 * time.Millisecond // between two starts
	freeTime      = 2 * time.Second        // in which the controller before it leaves the robot
	freePause     = 5 * time.Millisecond   // between two looks at that
)

// process is the controller of a robot, started from here. It is started again when a supervisor asks for it.
type process struct {
	surroundings
	entity  string
	robot   string // the entity's name in the world's file
	url     string // at which it finds the robot
	program *program
	again   chan struct{} // a restart is wanted
	done    chan struct{} // is closed when it has ended for good
	stop    context.CancelFunc
	// for which the world waits for the first step; 0: it does not wait
	patience time.Duration

	mu     sync.Mutex
	member *sim.LockstepMember // for which the world waits; nil: its session has it, or there is none
	ready  bool                // it has connected
	pid    int                 // of the process group that may be signalled; 0: none
}

// claim hands the place in the lockstep over to the session of the controller; nil: there is none.
func (p *process) claim() *sim.LockstepMember {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.member
	p.member, p.ready = nil, true
	return m
}

// await lets the world wait for the controller's first step.
func (p *process) await() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ready = false; p.member == nil && p.patience > 0 {
		p.member = p.lockstep.Join("controller of "+p.entity, p.patience)
	}
}

// leave lets the world go on without a controller that has not connected.
func (p *process) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.member != nil {
		p.member.Leave()
		p.member = nil
	}
}

// restart asks for another start; the world waits for it.
func (p *process) restart() {
	p.await()
	select {
	case p.again <- struct{}{}:
	default: // it is asked for already
	}
}

// keep runs the controller, and again after each restart, until ctx ends.
func (p *process) keep(ctx context.Context) {
	defer close(p.done)
	defer p.leave()
	for ctx.Err() == nil {
		p.awaitFree(ctx)
		begun := time.Now()
		if ended := p.run(ctx); ended {
			p.leave()
			select {
			case <-p.again:
				p.await()
			case <-ctx.Done():
			}
		}
		select {
		case <-time.After(restartPause - time.Since(begun)):
		case <-ctx.Done():
		}
	}
}

// awaitFree waits until the robot has no controller any more.
func (p *process) awaitFree(ctx context.Context) {
	end := time.Now().Add(freeTime)
	for ctx.Err() == nil && p.isTaken(p.entity) && time.Now().Before(end) {
		time.Sleep(freePause)
	}
}

// run runs the controller once. It reports that it ended by itself; otherwise it was ended for a restart, or
// with ctx.
func (p *process) run(ctx context.Context) (ended bool) {
	// Where the kernel ends a process with its parent, that is the thread which started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	out := &printed{log: p.log, begun: make(chan struct{})}
	one, two := out.stream(1), out.stream(2)
	cmd := exec.Command(p.program.path, p.program.args...)
	cmd.Dir, cmd.Env = p.program.dir, p.program.env.with("WEBOTS_CONTROLLER_URL", p.url)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = one, two, outputTime
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		p.log.Error("webots: a controller cannot be started", "error", err)
		return true
	}
	p.setGroup(cmd.Process.Pid)
	p.guard.note('+', cmd.Process.Pid)
	p.log.Info("webots: a controller was started", "file", p.program.file, "pid", cmd.Process.Pid)
	close(out.begun)
	exited := make(chan error, 1)
	p.group.Go(func() { exited <- reap(cmd, p.endGroup) })
	select {
	case err := <-exited:
		_, _ = one.Close(), two.Close()
		p.tell(cmd.ProcessState, err, out.errors())
		return true
	case <-p.again:
	case <-ctx.Done():
	}
	p.end(exited)
	_, _ = one.Close(), two.Close()
	return false
}

// end ends the controller: it may do so by itself where it was told to, then it is asked, then killed.
func (p *process) end(exited <-chan error) {
	p.mu.Lock()
	told := p.ready
	p.mu.Unlock()
	if told && endsIn(exited, quitTime) {
		return
	}
	p.signal(syscall.SIGTERM)
	if endsIn(exited, terminateTime) {
		return
	}
	p.log.Warn("webots: a controller does not end, and is killed")
	p.signal(syscall.SIGKILL)
	<-exited
}

func endsIn(exited <-chan error, after time.Duration) bool {
	select {
	case <-exited:
		return true
	case <-time.After(after):
		return false
	}
}

func (p *process) setGroup(pid int) {
	p.mu.Lock()
	p.pid = pid
	p.mu.Unlock()
}

// signal signals the process and those that it started.
func (p *process) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pid != 0 {
		signalGroup(p.pid, s)
	}
}

// endGroup ends those that a process left behind, and signals nobody after that: its number may be given to
// another.
func (p *process) endGroup() {
	p.signal(syscall.SIGKILL)
	p.guard.note('-', p.pid)
	p.setGroup(0)
}

// tell logs how a controller ended by itself.
func (p *process) tell(state *os.ProcessState, err error, last string) {
	p.mu.Lock()
	connected := p.ready
	p.mu.Unlock()
	if state != nil && state.Success() {
		p.log.Info("webots: a controller has ended")
		return
	}
	how := "unknown"
	if state != nil {
		how = state.String() // "exit status 1", "signal: killed"
	} else if err != nil {
		how = err.Error()
	}
	words := []any{"how", how, "errors", last}
	if !connected && p.program.env.value("WEBOTS_HOME") == "" {
		words = append(words, "hint",
			"WEBOTS_HOME is not set: set it to the folder of Webots, whose lib/controller has the library of controllers")
	}
	p.log.Error("webots: a controller failed; the world goes on without it", words...)
}
