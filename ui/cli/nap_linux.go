package cli

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// NewNap returns a function that sleeps for less than a millisecond to within some hundredths of it; nil where the
// system has no timer for it. Go's own timers wait for whole milliseconds when nothing else runs (epoll_wait). One
// goroutine may call it.
func NewNap() func(time.Duration) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil
	}
	timer, expired := os.NewFile(uintptr(fd), "timer"), make([]byte, 8)
	return func(d time.Duration) {
		at := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
		err := unix.TimerfdSettime(fd, 0, &at, nil)
		if err == nil {
			_, err = timer.Read(expired)
		}
		if err != nil {
			time.Sleep(d)
		}
	}
}
