package attach

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"simdeck/ros/msgs"
	"simdeck/ros/rosidl"
)

// constants are the named values of the standard's definitions, which
// generated code does not keep: by type, the constant's name to its value.
type constants map[string]map[string]int64

// readConstants reads the definitions of the 2.x line; the lines do not differ
// in constants.
func readConstants() (constants, error) {
	lib := rosidl.NewLibrary()
	if err := lib.AddPackage(msgs.Definitions(), pkg+"@2.x", pkg); err != nil {
		return nil, err
	}
	all := constants{}
	for _, name := range lib.Names() {
		s, _ := lib.Struct(name)
		for _, c := range s.Constants {
			if all[name] == nil {
				all[name] = map[string]int64{}
			}
			switch v := c.Value.(type) {
			case int64:
				all[name][c.Name] = v
			case uint64:
				all[name][c.Name] = int64(v)
			}
		}
	}
	return all, nil
}

// of returns the names of a field's values: constants prefixed by the field's name, without it; or all, where
// constants begin otherwise. path may be dotted; its last part is the field in own.
func (c constants) of(own reflect.Value, path string) map[string]int64 {
	if !own.IsValid() || !own.CanAddr() {
		return nil
	}
	m, ok := own.Addr().Interface().(msgs.Message)
	if !ok {
		return nil
	}
	field := strings.ToUpper(path[strings.LastIndexByte(path, '.')+1:]) + "_"
	names := map[string]int64{}
	for name, value := range c[m.TypeName()] {
		if short, ok := strings.CutPrefix(name, field); ok {
			names[short] = value
		}
	}
	if len(names) == 0 && field == "FEATURES_" {
		return c[m.TypeName()]
	}
	return names
}

// ResultNames are the names of the result codes that a service may answer with.
func ResultNames(kind string) map[uint8]string {
	known, err := readConstants()
	if err != nil {
		return nil
	}
	names := map[uint8]string{}
	for _, of := range []string{pkg + "/msg/Result", pkg + "/srv/" + kind + "_Response"} {
		for name, value := range known[of] {
			names[uint8(value)] = strings.TrimPrefix(name, "RESULT_")
		}
	}
	if kind == "SpawnEntities" { // its parts answer as SpawnEntity does
		for name, value := range known[pkg+"/msg/SpawnResult"] {
			names[uint8(value)] = name
		}
	}
	return names
}

// codeName is the name of a result code of a service.
func codeName(kind string, code uint8) string {
	if name, ok := ResultNames(kind)[code]; ok {
		return name
	}
	return "unknown code"
}

// byValue are names in the order of their values.
func byValue(names map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return int(names[a] - names[b])
	})
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
