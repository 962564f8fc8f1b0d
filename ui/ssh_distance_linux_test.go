package ui_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"simdeck/ui/uitest"
)

const attributes = "\x1b[c"

// answers answers each question for device attributes after a delay, until stop is closed.
func (p *terminal) answers(delay time.Duration, stop <-chan struct{}) {
	done := 0
	for {
		select {
		case <-stop:
			return
		case <-time.After(2 * time.Millisecond):
		}
		for ; done < strings.Count(p.text(), attributes); done++ {
			time.Sleep(delay)
			_, _ = p.host.WriteString("\x1b[?62;4c")
		}
	}
}

func TestOverSSHFramesWaitUntilTheLastWasReadAndNothingIsLeftForTheShell(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	backend := uitest.Busy(200)
	p := start(t, t.Context(), backend, "SSH_TTY=/dev/pts/3")
	stop, moved := make(chan struct{}), make(chan struct{})
	go p.answers(150*time.Millisecond, stop)
	go func() {
		defer close(moved)
		for {
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
				backend.Advance(20)
			}
		}
	}()
	p.shows(t, "0000")
	p.shows(t, attributes)
	before, began := strings.Count(p.text(), attributes), time.Now()
	time.Sleep(1500 * time.Millisecond)
	asked := strings.Count(p.text(), attributes) - before
	if most := int(time.Since(began)/(150*time.Millisecond)) + 2; asked < 2 || asked > most {
		t.Errorf("%d questions in %v, want at most one in 150 ms: %d", asked, time.Since(began), most)
	}
	// leave while an answer is on its way
	for n := strings.Count(p.text(), attributes); n == strings.Count(p.text(), attributes); {
		time.Sleep(time.Millisecond)
	}
	p.host.WriteString("q")
	if err := p.restored(t); err != nil {
		t.Error(err)
	}
	close(stop)
	<-moved
	time.Sleep(200 * time.Millisecond)
	if left, err := unix.IoctlGetInt(int(p.tty.Fd()), unix.TIOCINQ); err != nil || left != 0 {
		t.Errorf("%d octets of answers are left for the shell, %v", left, err)
	}
}

func TestOverSSHASilentTerminalIsNotWaitedForForEver(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a terminal, waits on the real clock")
	}
	backend := uitest.Room()
	p := start(t, t.Context(), backend, "SSH_TTY=/dev/pts/3")
	p.shows(t, "burger_1")
	p.host.WriteString("?")
	p.shows(t, "Help")
	p.host.WriteString("\x1b")
	time.Sleep(100 * time.Millisecond)
	p.host.WriteString("q")
	if err := p.restored(t); err != nil {
		t.Error(err)
	}
}
