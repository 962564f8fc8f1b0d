package main

import (
	"simdeck/ros/rosidl"
)

// service generates the function that describes a service.
func (f *file) service(s *rosidl.Service) {
	hash, err := f.pkg.lib.Hash(s.Name)
	f.fail(err)
	f.imports["simdeck/ros/msgs"] = true
	name := f.declare(typeName(s.Name)+"Service", s.Name)
	q, r := typeName(s.Request.Name), typeName(s.Response.Name)
	f.p("\n// %s describes the service %s.", name, s.Name)
	f.p("func %s() msgs.Service[%s, %s] {", name, q, r)
	f.p("return msgs.NewService[%s, %s](%q,\n%q)\n}", q, r, s.Name, hash)
}

// action generates the function that describes an action.
func (f *file) action(a *rosidl.Action) {
	hash, err := f.pkg.lib.Hash(a.Name)
	f.fail(err)
	f.imports["simdeck/ros/msgs"] = true
	short := typeName(a.Name)
	name := f.declare(short+"Action", a.Name)
	of := "msgs.Action[" + short + "Goal, " + short + "Result, " + short + "Feedback]"
	f.p("\n// %s describes the action %s.", name, a.Name)
	f.p("func %s() %s {", name, of)
	goal, err := f.pkg.lib.Hash(a.SendGoal.Name)
	f.fail(err)
	result, err := f.pkg.lib.Hash(a.GetResult.Name)
	f.fail(err)
	f.p("return %s{\nName: %q,\nHash: %q,\nGoalHash: %q,\nResultHash: %q,", of, a.Name, hash, goal, result)
	f.envelope("NewGoalRequest", "GoalRequest["+short+"Goal]", short+"SendGoalRequest",
		"ID: &m.GoalID.UUID, Goal: &m.Goal")
	f.envelope("NewGoalResponse", "GoalResponse", short+"SendGoalResponse",
		"Accepted: &m.Accepted, Sec: &m.Stamp.Sec, Nanosec: &m.Stamp.Nanosec")
	f.envelope("NewResultRequest", "ResultRequest", short+"GetResultRequest", "ID: &m.GoalID.UUID")
	f.envelope("NewResultResponse", "ResultResponse["+short+"Result]", short+"GetResultResponse",
		"Status: &m.Status, Result: &m.Result")
	f.envelope("NewFeedback", "FeedbackMessage["+short+"Feedback]", short+"FeedbackMessage",
		"ID: &m.GoalID.UUID, Feedback: &m.Feedback")
	f.p("}\n}")
}

// envelope generates one New function of an action: a message and pointers to its parts.
func (f *file) envelope(field, envelope, message, parts string) {
	f.p("%s: func() msgs.%s {", field, envelope)
	f.p("m := New%s()", message)
	f.p("return msgs.%s{Message: m, %s}\n},", envelope, parts)
}
