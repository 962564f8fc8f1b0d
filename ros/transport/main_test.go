package transport

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

const (
	inNamespace = "SIMDECK_TEST_NAMESPACE"
	// domain and task: be the peer of ros/interop/throughput.py, in whose namespace we are
	asPeer = "SIMDECK_PEER"
)

// TestMain reruns the tests in a network namespace of their own, with only a loopback interface: they reach
// no host and take no port.
func TestMain(m *testing.M) {
	if domain, task, ok := strings.Cut(os.Getenv(asPeer), " "); ok {
		os.Exit(peerMain(domain, task))
	}
	if os.Getenv(inNamespace) == "" {
		os.Exit(again())
	}
	if err := loopbackUp(); err != nil {
		fmt.Fprintln(os.Stderr, "transport tests: the loopback interface cannot be brought up:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func again() int {
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), inNamespace+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNET}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.ExitCode()
	case err != nil:
		fmt.Fprintln(os.Stderr, "transport tests need a network namespace of their own (root, or user namespaces allowed):",
			err)
		return 1
	}
	return 0
}

// control does something to an interface over the old ioctl way.
func control(name string, request uint, fill func(*unix.Ifreq) error) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	r, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	if err := fill(r); err != nil {
		return err
	}
	return unix.IoctlIfreq(fd, request, r)
}

func loopbackUp() error {
	return control("lo", unix.SIOCSIFFLAGS, func(r *unix.Ifreq) error {
		r.SetUint16(uint16(net.FlagUp) | unix.IFF_UP | unix.IFF_RUNNING | unix.IFF_LOOPBACK |
			unix.IFF_MULTICAST)
		return nil
	})
}

// addAddress gives the loopback interface a second address; dropAddress takes it back.
func addAddress(t *testing.T, a [4]byte) {
	t.Helper()
	if err := control("lo:1", unix.SIOCSIFADDR,
		func(r *unix.Ifreq) error { return r.SetInet4Addr(a[:]) }); err != nil {
		t.Fatal(err)
	}
}

func dropAddress(t *testing.T) {
	t.Helper()
	if err := control("lo:1", unix.SIOCSIFFLAGS, func(r *unix.Ifreq) error {
		r.SetUint16(0)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
