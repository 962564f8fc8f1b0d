package node

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/typedescriptioninterfaces"
	"simdeck/ros/rosidl"
)

// describesTypes is the parameter by which ~/get_type_description can be left out (REP-2016).
const describesTypes = "start_type_description_service"

func (n *Node) declareDescriptions() error {
	return n.params.Declare(context.Background(),
		Declaration{Name: describesTypes, Default: BoolValue(true), ReadOnly: true,
			Description: "serve ~/get_type_description: what the types of the topics and services are made of"})
}

// openDescriptions makes ~/get_type_description, unless that is turned off.
func (n *Node) openDescriptions() error {
	if on, _ := n.params.Get(describesTypes); !on.BoolValue {
		return nil
	}
	d := descriptions{parse: sync.OnceValues(libraries)}
	_, err := n.Serve(ServerConfig{Name: "~/get_type_description",
		Lines: []Line{NewLine(typedescriptioninterfaces.GetTypeDescriptionService(),
			func(_ context.Context, _ Caller,
				q *getDescription) *typedescriptioninterfaces.GetTypeDescriptionResponse {
				return d.answer(q)
			},
			func(err error) *typedescriptioninterfaces.GetTypeDescriptionResponse {
				return noDescription(err)
			})}})
	return err
}

type getDescription = typedescriptioninterfaces.GetTypeDescriptionRequest

// descriptions answers what types are made of, from the definitions that the
// message packages were generated from. They are read when somebody asks.
type descriptions struct {
	parse func() ([]*rosidl.Library, error)
}

// libraries are all definitions, with each line of the packages that have
// several: the newest release first, every other laid over it.
func libraries() ([]*rosidl.Library, error) {
	all := msgs.Definitions()
	folders, err := fs.ReadDir(all, ".")
	if err != nil {
		return nil, err
	}
	var plain, released, others []string
	for _, f := range folders { // in order: older lines come first
		switch _, line, several := strings.Cut(f.Name(), "@"); {
		case !several:
			plain = append(plain, f.Name())
		case line[0] >= '0' && line[0] <= '9':
			released = append(released, f.Name())
		default:
			others = append(others, f.Name())
		}
	}
	newest := released[len(released)-1]
	var list []*rosidl.Library
	for _, over := range append([]string{newest},
		append(released[:len(released)-1:len(released)-1], others...)...) {
		lib := rosidl.NewLibrary()
		for _, dir := range append(plain[:len(plain):len(plain)], newest, over) {
			pkg, _, _ := strings.Cut(dir, "@")
			if err := lib.AddPackage(all, dir, pkg); err != nil {
				return nil, err
			}
		}
		list = append(list, lib)
	}
	return list, nil
}

// find is the library in which a type has a hash; "" is any.
func (d *descriptions) find(name, hash string) (*rosidl.Library, error) {
	list, err := d.parse()
	if err != nil {
		return nil, err
	}
	var have []string
	for _, lib := range list {
		h, err := lib.Hash(name)
		if err != nil {
			continue
		}
		if hash == "" || h == hash {
			return lib, nil
		}
		have = append(have, h)
	}
	if len(have) == 0 {
		return nil, fmt.Errorf("this node knows no type %q", name)
	}
	return nil, fmt.Errorf("this node knows %s as %s, not as %s", name, strings.Join(have, " and as "), hash)
}

func (d *descriptions) answer(q *getDescription) *typedescriptioninterfaces.GetTypeDescriptionResponse {
	lib, err := d.find(q.TypeNameValue, q.TypeHashValue)
	if err != nil {
		return noDescription(err)
	}
	t, err := lib.Description(q.TypeNameValue)
	if err != nil {
		return noDescription(err)
	}
	s := &typedescriptioninterfaces.GetTypeDescriptionResponse{Successful: true}
	s.TypeDescription.TypeDescription = described(t.Type)
	for _, r := range t.Referenced {
		s.TypeDescription.ReferencedTypeDescriptions = append(s.TypeDescription.ReferencedTypeDescriptions,
			described(r))
	}
	if q.IncludeTypeSources {
		for _, part := range append([]rosidl.IndividualTypeDescription{t.Type}, t.Referenced...) {
			s.TypeSources = append(s.TypeSources, sourceOf(lib, part.TypeName))
		}
	}
	return s
}

func noDescription(err error) *typedescriptioninterfaces.GetTypeDescriptionResponse {
	return &typedescriptioninterfaces.GetTypeDescriptionResponse{FailureReason: err.Error()}
}

func described(t rosidl.IndividualTypeDescription) typedescriptioninterfaces.IndividualTypeDescription {
	d := typedescriptioninterfaces.IndividualTypeDescription{TypeNameValue: t.TypeName}
	for _, f := range t.Fields {
		d.Fields = append(d.Fields, typedescriptioninterfaces.Field{Name: f.Name,
			DefaultValue: f.DefaultValue,
			Type: typedescriptioninterfaces.FieldType{TypeID: f.TypeID, Capacity: f.Capacity,
				StringCapacity: f.StringCapacity, NestedTypeName: f.NestedTypeName}})
	}
	return d
}

// sourceOf is the text of a type's definition; a part of a service or action has
// none of its own ("implicit").
func sourceOf(lib *rosidl.Library, name string) typedescriptioninterfaces.TypeSource {
	s := typedescriptioninterfaces.TypeSource{TypeNameValue: name, Encoding: "implicit"}
	t, ok := lib.Struct(name)
	if !ok {
		return s
	}
	kind := strings.TrimPrefix(path.Ext(t.Position.File), ".")
	if strings.TrimSuffix(path.Base(t.Position.File), "."+kind) != path.Base(name) {
		return s
	}
	if text, err := fs.ReadFile(msgs.Definitions(), t.Position.File); err == nil {
		s.Encoding, s.RawFileContents = kind, string(text)
	}
	return s
}
