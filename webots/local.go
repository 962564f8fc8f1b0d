package webots

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"simdeck/sim"
	"simdeck/webots/wire"
)

// LocalFolder is the place of local sockets by the rules of the controllers' library: the folder for
// temporary files, and the name of the user.
func LocalFolder(getenv func(string) string) (folder, user string) {
	return cmp.Or(getenv("WEBOTS_TMPDIR"), "/tmp"), cmp.Or(getenv("USER"), getenv("USERNAME"), "default")
}

// localSockets are a socket for each robot that waits for a controller, below the folder of an instance.
type localSockets struct {
	base    string   // of all users
	parts   []string // the folder of the instance below it
	ipc     *os.Root // has a folder for each robot
	encode  func(robot string) string
	sockets map[string]*net.UnixListener
}

// newLocalSockets makes no socket yet. Before R2023b a folder had no user, and names stood as they are.
func newLocalSockets(c *Config, instance int) *localSockets {
	l := &localSockets{base: c.TempFolder, parts: []string{"webots", c.User, strconv.Itoa(instance)},
		encode: wire.EncodeName, sockets: map[string]*net.UnixListener{}}
	if c.Release < nameFirst {
		l.parts = []string{fmt.Sprintf("webots-%d", instance)}
		l.encode = func(robot string) string { return robot }
	}
	return l
}

// begin opens the folder of the instance, or says why it cannot be had.
func (l *localSockets) begin() error {
	ipc, err := privateFolder(l.base, append(slices.Clone(l.parts), "ipc")...)
	l.ipc = ipc
	return err
}

// update opens sockets of robots that came, and closes those of robots that are gone.
func (l *localSockets) update(ctx context.Context, s *Server, snapshot *sim.Snapshot) {
	there := map[string]bool{}
	for _, r := range s.robots(snapshot) {
		there[r.name] = there[r.name] || r.waits() || s.started.of(r.id) != nil
	}
	for name, socket := range l.sockets {
		if !there[name] {
			_ = socket.Close()
			delete(l.sockets, name)
		}
	}
	for name, wanted := range there {
		if l.sockets[name] != nil || !wanted || len(l.sockets) >= maxControllers {
			continue
		}
		socket, err := l.open(name)
		if err != nil {
			s.c.Log.Warn("webots: no local socket", "robot", name, "error", err)
			continue
		}
		l.sockets[name] = socket
		s.conns.Go(func() { l.accept(ctx, s, name, socket) })
	}
}

// of is the folder of a robot.
func (l *localSockets) of(name string) (*os.Root, error) {
	return privateFolder(l.ipc.Name(), l.encode(name))
}

// open makes the socket of a robot, in place of one that another run left there.
func (l *localSockets) open(name string) (*net.UnixListener, error) {
	if encoded := l.encode(name); !filepath.IsLocal(encoded) || filepath.Base(encoded) != encoded {
		return nil, fmt.Errorf("%w: the name %q reads like a path", ErrRobot, name)
	}
	folder, err := l.of(name)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	if err := folder.Remove(socketName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(folder.Name(), socketName), Net: "unix"})
}

// socketName is the file of a robot's socket, by the rules of the controllers' library.
const socketName = "extern"

// accept lets controllers of a robot in until its socket is closed.
func (l *localSockets) accept(ctx context.Context, s *Server, name string, socket *net.UnixListener) {
	for {
		conn, err := socket.AcceptUnix()
		if err != nil {
			if errors.Is(err, net.ErrClosed) || ctx.Err() != nil {
				return
			}
			time.Sleep(greetingPause)
			continue
		}
		s.conns.Go(func() {
			defer conn.Close()
			entity, _, err := s.choose(wire.EncodeName(name))
			if err != nil {
				s.refuse("a local socket", err)
				return
			}
			defer s.release(entity)
			folder, err := l.of(name)
			if err != nil {
				s.refuse("a local socket", err)
				return
			}
			defer folder.Close()
			images := &mappedImages{folder: folder}
			defer images.close()
			s.serve(ctx, conn, entity, images)
		})
	}
}

// end closes all sockets and removes the folder of the instance.
func (l *localSockets) end() {
	for _, socket := range l.sockets {
		_ = socket.Close()
	}
	_ = l.ipc.Close()
	last := len(l.parts) - 1
	if above, err := privateFolder(l.base, l.parts[:last]...); err == nil {
		_ = above.RemoveAll(l.parts[last])
		_ = above.Close()
	}
}

// mappedImages are files that a controller maps into its memory, a device each, to look at pictures.
type mappedImages struct {
	folder *os.Root
	files  map[uint16]*mappedImage
}

type mappedImage struct {
	*os.File
	size int
}

// write writes a picture where the controller has it mapped, and tells of the file when it is new.
func (m *mappedImages) write(a *wire.Answer, tag uint16, pixels []byte, r *robot) {
	f := m.files[tag]
	if f == nil || f.size < len(pixels) {
		name := fmt.Sprintf("image_%d_%d", tag, len(pixels))
		file, err := newFile(m.folder, name)
		if err == nil {
			err = file.Truncate(int64(len(pixels)))
		}
		if err != nil {
			r.warn("pictures for a controller cannot be written: %v", err)
			return
		}
		if m.files == nil {
			m.files = map[uint16]*mappedImage{}
		}
		if f != nil {
			_ = f.Close()
		}
		f = &mappedImage{file, len(pixels)}
		m.files[tag] = f
		a.To(tag, wire.CameraFile).Int32(int32(len(pixels))).Text(filepath.Join(m.folder.Name(), name))
	}
	if _, err := f.WriteAt(pixels, 0); err != nil {
		r.warn("pictures for a controller cannot be written: %v", err)
	}
}

func (m *mappedImages) close() {
	for _, f := range m.files {
		_ = f.Close()
		_ = m.folder.Remove(filepath.Base(f.Name()))
	}
}
