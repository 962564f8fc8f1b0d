package template

import "reflect"

// rewrite goes through a syntax tree, children first, and puts in the place of every node what visit makes of
// it. size is the number of nodes that it consists of.
func rewrite(v reflect.Value, visit func(node any, size int64) any) int64 {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		return replaced(v, rewrite(v.Elem(), visit), visit)
	case reflect.Pointer:
		if v.IsNil() {
			return 0
		}
		size := 1 + rewrite(v.Elem(), visit)
		if v.CanSet() {
			return replaced(v, size, visit)
		}
		return size
	case reflect.Struct:
		size := int64(0)
		for i := range v.NumField() {
			// Declarations are listed a second time by the parser of JavaScript.
			if f := v.Type().Field(i); f.IsExported() && f.Name != "DeclarationList" {
				size += rewrite(v.Field(i), visit)
			}
		}
		return size
	case reflect.Slice:
		size := int64(0)
		for i := range v.Len() {
			size += rewrite(v.Index(i), visit)
		}
		return size
	}
	return 0
}

// replaced puts what visit makes of a node in its place, where that may stand there.
func replaced(v reflect.Value, size int64, visit func(node any, size int64) any) int64 {
	node := v.Interface()
	if made := reflect.ValueOf(visit(node, size)); made.IsValid() && made.Type().AssignableTo(v.Type()) &&
		v.CanSet() {
		v.Set(made)
	}
	return size
}
