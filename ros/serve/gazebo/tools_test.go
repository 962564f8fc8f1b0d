package gazebo

import (
	"math"
	"strings"
	"testing"

	"simdeck/ros/msgs/gazebomsgs"
	"simdeck/ros/msgs/linkattachermsgs"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// inTheWorkshop is a simulator with the tools alone, and a client.
func inTheWorkshop(t *testing.T, f func(s *rostest.Stage)) {
	t.Helper()
	rostest.On(t, rostest.Play{World: scene.Resource{Document: yardText}, Start: sim.Paused},
		func(s *rostest.Stage) error { return NewTools(s.Server, s.Engine) }, f)
}

// TestLinksAreAttachedAndDetachedByService: requests that cannot be done are answered in words.
func TestLinksAreAttachedAndDetachedByService(t *testing.T) {
	inTheWorkshop(t, func(s *rostest.Stage) {
		attach := func(a, x, b, y string) (bool, string) {
			r := rostest.Ask(s, "/ATTACHLINK", linkattachermsgs.AttachLinkService(),
				&linkattachermsgs.AttachLinkRequest{Model1Name: a, Link1Name: x, Model2Name: b, Link2Name: y})
			return r.Success, r.Message
		}
		detach := func(a, x, b, y string) (bool, string) {
			r := rostest.Ask(s, "/DETACHLINK", linkattachermsgs.DetachLinkService(),
				&linkattachermsgs.DetachLinkRequest{Model1Name: a, Link1Name: x, Model2Name: b, Link2Name: y})
			return r.Success, r.Message
		}
		if ok, says := attach("gate", "bar", "rock", "l"); !ok || says != "attached gate/bar and rock/l" {
			t.Errorf("attach: %v, %q", ok, says)
		}
		if n := len(s.Engine.Snapshot().Attachments); n != 1 {
			t.Errorf("%d attachments", n)
		}
		for _, c := range []struct {
			do   func(a, x, b, y string) (bool, string)
			link string
			says string
		}{{attach, "bar", "attached already"}, {attach, "baar", `did you mean "bar"?`},
			{detach, "post", "attached are gate/bar and rock/l"}} {
			if ok, says := c.do("gate", c.link, "rock", "l"); ok || !strings.Contains(says, c.says) {
				t.Errorf("gate/%s: %v, %q, want %q", c.link, ok, says, c.says)
			}
		}
		if ok, says := detach("rock", "l", "gate", "bar"); !ok || len(s.Engine.Snapshot().Attachments) != 0 {
			t.Errorf("detach: %v, %q", ok, says)
		}
	})
}

// TestJointsArePutAtPositionsByService: also while paused.
func TestJointsArePutAtPositionsByService(t *testing.T) {
	inTheWorkshop(t, func(s *rostest.Stage) {
		put := func(names []string, at ...float64) (bool, string) {
			r := rostest.Ask(s, "/set_model_configuration", gazebomsgs.SetModelConfigurationService(),
				&gazebomsgs.SetModelConfigurationRequest{ModelName: "gate", JointNames: names,
					JointPositions: at})
			return r.Success, r.StatusMessage
		}
		if ok, says := put([]string{"hinge"}, 0.7); !ok {
			t.Error(says)
		}
		snap := s.Engine.Snapshot()
		i, _ := snap.Find("gate")
		if j := snap.JointsOf(i)[0]; math.Abs(j.Position-0.7) > 1e-9 {
			t.Errorf("the hinge is at %v, want 0.7", j.Position)
		}
		if ok, says := put([]string{"hinge"}); ok || !strings.Contains(says, "1 joint names and 0 p") {
			t.Errorf("%v, %q", ok, says)
		}
		if ok, says := put([]string{"hing"}, 0); ok || !strings.Contains(says, `did you mean "hinge"?`) {
			t.Errorf("%v, %q", ok, says)
		}
	})
}
