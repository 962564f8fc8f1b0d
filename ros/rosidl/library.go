package rosidl

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Library holds the types of many packages by their full names. A definition added later replaces an earlier
// one of the same name, so one line of a package can be laid over another.
type Library struct {
	structs  map[string]*Struct // also services and actions as types of their own
	services map[string]*Service
	actions  map[string]*Action
}

// NewLibrary is an empty library.
func NewLibrary() *Library {
	return &Library{map[string]*Struct{}, map[string]*Service{}, map[string]*Action{}}
}

// AddPackage parses the files dir/msg/*.msg, dir/srv/*.srv and dir/action/*.action as those of the package
// pkg; dir and pkg differ where a package has several lines. A file that does not parse adds nothing and ends
// it with an *Error.
func (l *Library) AddPackage(fsys fs.FS, dir, pkg string) error {
	for _, kind := range []string{"msg", "srv", "action"} {
		files, err := fs.Glob(fsys, path.Join(dir, kind, "*."+kind))
		if err != nil {
			return fmt.Errorf("package %s: %w", pkg, err)
		}
		for _, file := range files {
			text, err := fs.ReadFile(fsys, file)
			if err != nil {
				return fmt.Errorf("package %s: %w", pkg, err)
			}
			name := pkg + "/" + kind + "/" + strings.TrimSuffix(path.Base(file), "."+kind)
			if err := l.add(file, kind, name, string(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *Library) add(file, kind, name, text string) error {
	switch kind {
	case "msg":
		s, err := ParseMsg(file, name, text)
		if err != nil {
			return err
		}
		l.structs[name] = s
	case "srv":
		s, err := ParseSrv(file, name, text)
		if err != nil {
			return err
		}
		l.addService(s)
	case "action":
		a, err := ParseAction(file, name, text)
		if err != nil {
			return err
		}
		l.addAction(a)
	}
	return nil
}

func (l *Library) addService(s *Service) {
	l.services[s.Name] = s
	for _, part := range append(s.Structs(), s.whole()) {
		l.structs[part.Name] = part
	}
}

func (l *Library) addAction(a *Action) {
	l.actions[a.Name] = a
	l.addService(a.SendGoal)
	l.addService(a.GetResult)
	for _, part := range append(a.Structs(), a.whole()) {
		l.structs[part.Name] = part
	}
}

// Struct finds a type by its full name; services and actions as a whole are types too.
func (l *Library) Struct(name string) (*Struct, bool) {
	s, ok := l.structs[name]
	return s, ok
}

// Service finds a service by its full name; an action has two, A_SendGoal and A_GetResult.
func (l *Library) Service(name string) (*Service, bool) {
	s, ok := l.services[name]
	return s, ok
}

// Action finds an action by its full name.
func (l *Library) Action(name string) (*Action, bool) {
	a, ok := l.actions[name]
	return a, ok
}

// Services are all services of .srv files, sorted by name; those that actions imply are not among them.
func (l *Library) Services() []*Service {
	var all []*Service
	for _, name := range slices.Sorted(maps.Keys(l.services)) {
		if strings.Contains(name, "/srv/") {
			all = append(all, l.services[name])
		}
	}
	return all
}

// Actions are all actions, sorted by name.
func (l *Library) Actions() []*Action {
	var all []*Action
	for _, name := range slices.Sorted(maps.Keys(l.actions)) {
		all = append(all, l.actions[name])
	}
	return all
}

// Messages are the types of .msg files, sorted by name.
func (l *Library) Messages() []*Struct {
	var all []*Struct
	for _, name := range l.Names() {
		if strings.Contains(name, "/msg/") {
			all = append(all, l.structs[name])
		}
	}
	return all
}

// Names are the full names of all types, sorted.
func (l *Library) Names() []string { return slices.Sorted(maps.Keys(l.structs)) }

// Check resolves every field of every type: it gives an *Error for the first one, by name, with a missing or
// recursive type.
func (l *Library) Check() error {
	done := map[string]bool{}
	for _, name := range l.Names() {
		if err := l.check(name, done, nil); err != nil {
			return err
		}
	}
	return nil
}

// check follows the nested types of one that is in the library; path is the way there.
func (l *Library) check(name string, done map[string]bool, path []string) error {
	if done[name] {
		return nil
	}
	s := l.structs[name]
	path = append(path, name)
	for _, f := range s.Fields {
		if f.Type.Base != Nested {
			continue
		}
		if slices.Contains(path, f.Type.Name) {
			problem := fmt.Sprintf("field %s of %s, by way of %s", f.Name, name, strings.Join(path, ", "))
			return &Error{place(s, f), problem, ErrCycle}
		}
		if _, ok := l.structs[f.Type.Name]; !ok {
			return &Error{place(s, f), fmt.Sprintf("field %s of %s is of type %s", f.Name, name, f.Type.Name),
				ErrUnknown}
		}
		if err := l.check(f.Type.Name, done, path); err != nil {
			return err
		}
	}
	done[name] = true
	return nil
}

// place is the position of a field's declaration; implied fields have their struct's.
func place(s *Struct, f Field) Position {
	if f.Position.Line == 0 {
		return s.Position
	}
	return f.Position
}
