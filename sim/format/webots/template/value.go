package template

// Object is a value with named parts, in their order.
type Object struct {
	Names  []string
	Values []any // nil, bool, float64, string, []any or *Object
}

// Set adds a part and gives the object back.
func (o *Object) Set(name string, value any) *Object {
	o.Names, o.Values = append(o.Names, name), append(o.Values, value)
	return o
}
