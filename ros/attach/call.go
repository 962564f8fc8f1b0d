package attach

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/sim/scene"
)

// Answer is the answer of a service, for people and scripts.
type Answer struct {
	Simulator string // its node
	Service   string // full name
	Line      string // of the standard, in which it was called
	Code      uint8  // Result.result; OK when the service has no result
	Name      string // of the code, "NAME_NOT_UNIQUE"
	Message   string // Result.error_message
	JSON      []byte // the response as it came
	Text      string // the response without its result, a line per value
}

// OK reports whether the simulator did what it was asked.
func (a Answer) OK() bool { return a.Code == simif2.ResultOK }

// Call calls a service by the words of a command line. Kind explains the name and setFields the fields, which
// are those of the simulator's line, or of the 2.x line. Errors are those of Ask, and ErrField.
func (r *Remote) Call(ctx context.Context, name string, fields []string) (Answer, error) {
	kind, err := Kind(name)
	if err != nil {
		return Answer{}, err
	}
	known, err := readConstants()
	if err != nil {
		return Answer{}, err
	}
	v, d, err := r.dialect(ctx, kind)
	if err != nil {
		return Answer{}, err
	}
	request, err := d.compose(kind, fields, known)
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", snake(kind), err)
	}
	response, err := r.exchange(ctx, v, d, request)
	if err != nil {
		return Answer{}, err
	}
	neutral := response
	if d.up != nil {
		neutral = d.up(response)
	}
	a := Answer{Simulator: r.Title(), Service: v.Name, Line: d.line.String(),
		JSON: appendJSON(nil, reflect.ValueOf(response).Elem()),
		Text: string(appendLines(nil, response, known, "result"))}
	a.Code, a.Message = resultOf(neutral)
	a.Name = codeName(kind, a.Code)
	return a, nil
}

// compose makes a request of words. Those of the neutral message will do too.
func (d *dialect) compose(kind string, fields []string, known constants) (msgs.Message, error) {
	request := d.newRequest()
	err := setFields(request, fields, known)
	if err == nil || d.down == nil {
		return request, err
	}
	row, _ := serviceOf(kind)
	neutral := row.dialects[0].newRequest()
	if setFields(neutral, fields, known) != nil {
		return nil, err
	}
	return d.down(neutral), nil
}

// resultOf is the result of a neutral response.
func resultOf(m msgs.Message) (code uint8, message string) {
	f := reflect.ValueOf(m).Elem().FieldByName("Result")
	if !f.IsValid() {
		return simif2.ResultOK, ""
	}
	r, ok := f.Interface().(simif2.Result)
	if !ok {
		return simif2.ResultOK, ""
	}
	return r.Result, r.ErrorMessage
}

// ErrService is wrapped by the error about a name that no service has.
var ErrService = errors.New("no such service")

// Kind finds the service that is meant by "spawn_entity", "SpawnEntity",
// "/gz_server/spawn_entity" or an unambiguous beginning. Errors wrap
// ErrService.
func Kind(name string) (string, error) {
	bare := name[strings.LastIndexByte(name, '/')+1:]
	var begin []string
	for _, s := range services() {
		if bare == s.name() || bare == s.kind {
			return s.kind, nil
		}
		if bare != "" && strings.HasPrefix(s.name(), bare) {
			begin = append(begin, s.kind)
		}
	}
	switch len(begin) {
	case 1:
		return begin[0], nil
	case 0:
		if hint := scene.DidYouMean(snake(bare), Names()); hint != "" {
			return "", fmt.Errorf("%w: %q%s", ErrService, name, hint)
		}
		return "", fmt.Errorf("%w: %q; there are %s", ErrService, name, strings.Join(Names(), ", "))
	}
	for i := range begin {
		begin[i] = snake(begin[i])
	}
	return "", fmt.Errorf("%w: %q can be %s", ErrService, name, strings.Join(begin, ", "))
}

// Names are the services of the standard.
func Names() []string {
	var names []string
	for _, s := range services() {
		names = append(names, s.name())
	}
	return names
}

// FieldsOf are the dotted paths of a service's request in the 2.x line.
func FieldsOf(name string) []string {
	kind, err := Kind(name)
	if err != nil {
		return nil
	}
	row, _ := serviceOf(kind)
	return Leaves(reflect.TypeOf(row.dialects[0].newRequest()).Elem())
}
