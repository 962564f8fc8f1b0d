package msgs_test

import (
	"testing"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif2"
)

func TestThePartsOfAnActionsMessagesAreOnTheWire(t *testing.T) {
	a := simif2.SimulateStepsAction()

	ask := a.NewGoalRequest()
	ask.ID[0], ask.ID[15], ask.Goal.Steps = 1, 16, 250
	asked := a.NewGoalRequest()
	roundTrip(t, ask.Message, asked.Message)
	if *asked.ID != *ask.ID || asked.Goal.Steps != 250 {
		t.Errorf("goal %v with %d steps", *asked.ID, asked.Goal.Steps)
	}

	taken, took := a.NewGoalResponse(), a.NewGoalResponse()
	*taken.Accepted, *taken.Sec, *taken.Nanosec = true, 5, 6
	roundTrip(t, taken.Message, took.Message)
	if !*took.Accepted || *took.Sec != 5 || *took.Nanosec != 6 {
		t.Errorf("accepted %v at %d s %d ns", *took.Accepted, *took.Sec, *took.Nanosec)
	}

	wait, waited := a.NewResultRequest(), a.NewResultRequest()
	wait.ID[3] = 9
	roundTrip(t, wait.Message, waited.Message)
	if *waited.ID != *wait.ID {
		t.Errorf("result of %v asked, want %v", *waited.ID, *wait.ID)
	}

	end, ended := a.NewResultResponse(), a.NewResultResponse()
	*end.Status, end.Result.Result.ErrorMessage = 4, "done"
	roundTrip(t, end.Message, ended.Message)
	if *ended.Status != 4 || ended.Result.Result.ErrorMessage != "done" {
		t.Errorf("status %d, message %q", *ended.Status, ended.Result.Result.ErrorMessage)
	}

	tell, told := a.NewFeedback(), a.NewFeedback()
	tell.ID[1], tell.Feedback.CompletedSteps = 2, 100
	roundTrip(t, tell.Message, told.Message)
	if *told.ID != *tell.ID || told.Feedback.CompletedSteps != 100 {
		t.Errorf("feedback of %v: %d steps", *told.ID, told.Feedback.CompletedSteps)
	}
}

func roundTrip(t *testing.T, from, to msgs.Message) {
	t.Helper()
	if err := msgs.Decode(encode(t, from), to); err != nil {
		t.Fatal(err)
	}
}

func TestAnActionsMessagesHaveTheNamesOfItsEndpoints(t *testing.T) {
	a := simif2.SimulateStepsAction()
	for _, c := range []struct {
		m    msgs.Message
		want string
	}{
		{a.NewGoalRequest(), "_SendGoal_Request"}, {a.NewGoalResponse(), "_SendGoal_Response"},
		{a.NewResultRequest(), "_GetResult_Request"}, {a.NewResultResponse(), "_GetResult_Response"},
		{a.NewFeedback(), "_FeedbackMessage"},
	} {
		if c.m.TypeName() != a.Name+c.want {
			t.Errorf("name %s, want %s%s", c.m.TypeName(), a.Name, c.want)
		}
	}
}
