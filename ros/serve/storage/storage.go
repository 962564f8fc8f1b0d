// Package storage serves files as the objects of l2_msgs, for workers and viewers that look a world up by
// name.
package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/node"
)

// Service is the name of the service.
const Service = "/l2/storage/get_object3d"

// longest is the most bytes of an object: it goes out in one message.
const longest = 16 << 20

// kinds are the types of objects by the endings of files, in the order in which a name without one is tried.
var kinds = []struct {
	ending string
	kind   uint8
}{{".sdf", l2msgs.Object3DTypeSdf}, {".world", l2msgs.Object3DTypeSdf}, {".wbt", l2msgs.Object3DTypeProto},
	{".proto", l2msgs.Object3DTypeProto}, {".obj", l2msgs.Object3DTypeObj}}

// Serve answers on a node while it runs. The names of objects are paths in files, with an ending or without.
func Serve(n *node.Node, files fs.FS) error {
	line := node.NewLine(l2msgs.GetObject3DService(),
		func(_ context.Context, _ node.Caller, q *l2msgs.GetObject3DRequest) *l2msgs.GetObject3DResponse {
			o, err := object(files, q.Name)
			if err != nil {
				n.Log().Warn("object asked for is not in the storage", "error", err)
				return &l2msgs.GetObject3DResponse{Message: err.Error()}
			}
			return &l2msgs.GetObject3DResponse{Success: true, Object: *o}
		}, nil)
	_, err := n.Serve(node.ServerConfig{Name: Service, Lines: []node.Line{line}})
	return err
}

// object is the object of a name.
func object(files fs.FS, name string) (*l2msgs.Object3D, error) {
	if !fs.ValidPath(name) || strings.ContainsRune(name, '\\') {
		return nil, fmt.Errorf("%.200q is no name of an object: want a path in the storage like robots/spot", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return nil, fmt.Errorf("%.200q is no name of an object: names that begin with a dot are hidden", name)
		}
	}
	for _, k := range kinds {
		file := name
		if path.Ext(name) != k.ending {
			file += k.ending
		}
		data, err := read(files, file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return &l2msgs.Object3D{Type: k.kind, Name: name, Data: data,
			Pose:  geometrymsgs.Pose{Orientation: geometrymsgs.Quaternion{W: 1}},
			Scale: geometrymsgs.Vector3{X: 1, Y: 1, Z: 1}}, nil
	}
	return nil, fmt.Errorf("%.200q is not in the storage, with none of the endings .sdf, .world, .wbt, .proto, .obj",
		name)
}

// reason is an error without the path on this machine.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return errors.New("cannot be read")
}

// read is the text of a regular file of at most longest bytes.
func read(files fs.FS, name string) (string, error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return "", reason(err)
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("no regular file")
	}
	f, err := files.Open(name)
	if err != nil {
		return "", reason(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, longest+1))
	switch {
	case err != nil:
		return "", errors.New("cannot be read")
	case len(data) > longest:
		return "", fmt.Errorf("more than %d bytes", longest)
	}
	return string(data), nil
}
