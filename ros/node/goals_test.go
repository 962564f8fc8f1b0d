package node

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"simdeck/ros/msgs/actionmsgs"
	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/netsim"
)

func TestACancellationChoosesGoalsByIDByTimeOrAll(t *testing.T) {
	at := func(sec int32) builtininterfaces.Time { return builtininterfaces.Time{Sec: sec} }
	for _, c := range []struct {
		name  string
		id    byte // 0: none
		until int32
		want  []byte
		code  int8
	}{
		{"all", 0, 0, []byte{1, 2, 4}, actionmsgs.CancelGoalResponseErrorNone},
		{"one", 2, 0, []byte{2}, actionmsgs.CancelGoalResponseErrorNone},
		{"one that has ended", 3, 0, nil, actionmsgs.CancelGoalResponseErrorGoalTerminated},
		{"one that is being cancelled", 5, 0, nil, actionmsgs.CancelGoalResponseErrorGoalTerminated},
		{"one that is not known", 9, 0, nil, actionmsgs.CancelGoalResponseErrorUnknownGoalID},
		{"until a time, itself included", 0, 20, []byte{1, 2}, actionmsgs.CancelGoalResponseErrorNone},
		{"before any", 0, 5, nil, actionmsgs.CancelGoalResponseErrorNone},
		{"one and until a time", 4, 10, []byte{1, 4}, actionmsgs.CancelGoalResponseErrorNone},
		{"one that is not known and until a time", 9, 10, []byte{1}, actionmsgs.CancelGoalResponseErrorNone},
	} {
		s := goals{list: []*goal{
			{id: GoalID{1}, stamp: at(10), status: GoalExecuting},
			{id: GoalID{2}, stamp: at(20), status: GoalAccepted},
			{id: GoalID{3}, stamp: at(20), status: GoalSucceeded},
			{id: GoalID{4}, stamp: at(40), status: GoalExecuting},
			{id: GoalID{5}, stamp: at(5), status: GoalCanceling},
		}}
		q := actionmsgs.GoalInfo{Stamp: at(c.until)}
		q.GoalID.UUID = GoalID{c.id}
		chosen, code := s.toCancel(q)
		var got []byte
		for _, g := range chosen {
			got = append(got, g.id[0])
		}
		if !slices.Equal(got, c.want) || code != c.code {
			t.Errorf("%s: chosen are %v with code %d, want %v with %d", c.name, got, code, c.want, c.code)
		}
	}
}

func TestResultsAreKeptForTheirTimeAndNoMoreThanMayBe(t *testing.T) {
	now := time.Unix(1000, 0)
	s := goals{keep: 10 * time.Second}
	running := &goal{id: GoalID{255, 255}, status: GoalExecuting}
	s.list = append(s.list, running)
	for i := range maxEnded + 3 {
		g := &goal{id: GoalID{1, byte(i), byte(i >> 8)}, status: GoalExecuting}
		s.list = append(s.list, g)
		s.end(g, GoalSucceeded, nil, now.Add(time.Duration(i)*time.Millisecond))
	}
	if n := len(s.list); n != maxEnded+1 || s.find(GoalID{1, 0, 0}) != nil ||
		s.find(GoalID{1, 2, 0}) != nil || s.find(GoalID{1, 3, 0}) == nil {
		t.Errorf("%d goals are kept, want the newest %d and the one that runs", n, maxEnded)
	}
	s.expire(now.Add(10*time.Second + 3*time.Millisecond))
	if s.find(GoalID{1, 3, 0}) != nil || s.find(GoalID{1, 4, 0}) == nil {
		t.Error("a result is kept for another time than 10 s")
	}
	s.expire(now.Add(time.Hour))
	if len(s.list) != 1 || s.list[0] != running {
		t.Errorf("after an hour %d goals are left, want the one that runs", len(s.list))
	}
}

func TestWhatNobodyAskedToCancelIsAborted(t *testing.T) {
	s := goals{keep: time.Hour}
	g := &goal{id: GoalID{1}, status: GoalExecuting}
	s.list = append(s.list, g)
	if s.end(g, GoalWasCanceled, nil, time.Time{}); g.status != GoalAborted {
		t.Errorf("it is %s", g.status)
	}
}

func TestGoalIDsAreUUIDsAndComeFromTheNodesRandomness(t *testing.T) {
	n, err := New(Config{Name: "n", Transport: netsim.New(1).Host("n"),
		Random: bytes.NewReader(bytes.Repeat([]byte{0xff}, 4096))})
	if err != nil {
		t.Fatal(err)
	}
	if id := n.newGoalID().String(); id != "ffffffff-ffff-4fff-bfff-ffffffffffff" {
		t.Errorf("the ID is %s, want version 4 of the given bytes", id)
	}
	n, err = New(Config{Name: "n", Transport: netsim.New(1).Host("n")})
	if err != nil {
		t.Fatal(err)
	}
	if n.newGoalID() == n.newGoalID() {
		t.Error("two goals have the same ID")
	}
}
