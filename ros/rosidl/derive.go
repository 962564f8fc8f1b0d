package rosidl

// newService completes a service from its two halves.
func newService(name string, request, response *Struct) *Service {
	s := &Service{Name: name, Request: request, Response: response}
	s.Event = &Struct{Name: name + "_Event", Position: request.Position, Fields: []Field{
		nested("info", "service_msgs/msg/ServiceEventInfo"),
		optional("request", request.Name),
		optional("response", response.Name),
	}}
	return s
}

// newAction completes an action from its three parts.
func newAction(name string, goal, result, feedback *Struct) *Action {
	a := &Action{Name: name, Goal: goal, Result: result, Feedback: feedback}
	a.FeedbackMessage = &Struct{Name: name + "_FeedbackMessage", Position: goal.Position, Fields: []Field{
		goalID(), nested("feedback", feedback.Name),
	}}
	a.SendGoal = newService(name+"_SendGoal",
		&Struct{Name: name + "_SendGoal_Request", Position: goal.Position, Fields: []Field{
			goalID(), nested("goal", goal.Name),
		}},
		&Struct{Name: name + "_SendGoal_Response", Position: goal.Position, Fields: []Field{
			{Name: "accepted", Type: Type{Base: Bool}}, nested("stamp", "builtin_interfaces/msg/Time"),
		}})
	a.GetResult = newService(name+"_GetResult",
		&Struct{Name: name + "_GetResult_Request", Position: goal.Position, Fields: []Field{goalID()}},
		&Struct{Name: name + "_GetResult_Response", Position: goal.Position, Fields: []Field{
			{Name: "status", Type: Type{Base: Int8}}, nested("result", result.Name),
		}})
	return a
}

// Structs are the three types of a service that travel: request, response, event.
func (s *Service) Structs() []*Struct { return []*Struct{s.Request, s.Response, s.Event} }

// Structs are all types of an action that travel.
func (a *Action) Structs() []*Struct {
	all := []*Struct{a.Goal, a.Result, a.Feedback}
	all = append(all, a.SendGoal.Structs()...)
	all = append(all, a.GetResult.Structs()...)
	return append(all, a.FeedbackMessage)
}

// whole is the service as a type of its own: it never travels, but it has a description and a hash.
func (s *Service) whole() *Struct {
	return &Struct{Name: s.Name, Position: s.Request.Position, Fields: []Field{
		nested("request_message", s.Request.Name),
		nested("response_message", s.Response.Name),
		nested("event_message", s.Event.Name),
	}}
}

// whole is the action as a type of its own.
func (a *Action) whole() *Struct {
	return &Struct{Name: a.Name, Position: a.Goal.Position, Fields: []Field{
		nested("goal", a.Goal.Name),
		nested("result", a.Result.Name),
		nested("feedback", a.Feedback.Name),
		nested("send_goal_service", a.SendGoal.Name),
		nested("get_result_service", a.GetResult.Name),
		nested("feedback_message", a.FeedbackMessage.Name),
	}}
}

func nested(name, of string) Field {
	return Field{Name: name, Type: Type{Base: Nested, Name: of}}
}

func optional(name, of string) Field {
	return Field{Name: name, Type: Type{Base: Nested, Name: of, Shape: Bounded, Size: 1}}
}

func goalID() Field { return nested("goal_id", "unique_identifier_msgs/msg/UUID") }
