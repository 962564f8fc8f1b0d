package vehicle

import (
	"context"
	"errors"
	"fmt"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
)

// errCommand is a request that cannot be meant.
var errCommand = errors.New("not understood")

// serve makes the services.
func (p *Profile) serve() error {
	trigger := func(do func(context.Context) (string, error)) node.Line {
		return line(stdsrvs.TriggerService(),
			func(ctx context.Context, _ *stdsrvs.TriggerRequest) *stdsrvs.TriggerResponse {
				ok, text := said(do(ctx))
				return &stdsrvs.TriggerResponse{Success: ok, Message: text}
			})
	}
	for name, l := range map[string]node.Line{
		"/sim/pause":  trigger(p.pause),
		"/sim/resume": trigger(p.resume),
		"/sim/step":   trigger(p.step),
		"/sim/control": line(gssimmsgs.SimulationControlService(),
			func(ctx context.Context,
				q *gssimmsgs.SimulationControlRequest) *gssimmsgs.SimulationControlResponse {
				ok, text := said(p.control(ctx, q))
				return &gssimmsgs.SimulationControlResponse{Success: ok, Message: text}
			}),
		"/sim/reset_world": line(gssimmsgs.ResetWorldService(),
			func(ctx context.Context, q *gssimmsgs.ResetWorldRequest) *gssimmsgs.ResetWorldResponse {
				ok, text := said(p.resetWorld(ctx, q))
				return &gssimmsgs.ResetWorldResponse{Success: ok, Message: text}
			}),
		"/sim/set_ego_pose": line(gssimmsgs.SetEgoPoseService(),
			func(ctx context.Context, q *gssimmsgs.SetEgoPoseRequest) *gssimmsgs.SetEgoPoseResponse {
				ok, text := said(p.setEgoPose(ctx, q))
				return &gssimmsgs.SetEgoPoseResponse{Success: ok, Message: text}
			}),
		"/sim/load_world": line(gssimmsgs.LoadWorldService(), p.loadWorld),
	} {
		if _, err := p.node.Serve(node.ServerConfig{Name: name, Lines: []node.Line{l}}); err != nil {
			return err
		}
	}
	return nil
}

// line is a service that do answers.
func line[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](svc msgs.Service[Q, S],
	do func(context.Context, *Q) *S) node.Line {
	return node.NewLine[Q, S, PQ, PS](svc, func(ctx context.Context, _ node.Caller, q *Q) *S {
		return do(sim.WithSender(ctx, "ros"), q)
	}, nil)
}

// said is the common part of the services' responses.
func said(text string, err error) (bool, string) {
	if err != nil {
		return false, err.Error()
	}
	return true, text
}

// goTo sets the state; being there already is as good.
func (p *Profile) goTo(ctx context.Context, to sim.State) (string, error) {
	_, err := p.backend.Do(ctx, sim.SetState{State: to})
	if errors.Is(err, sim.ErrAlreadyInState) {
		return "already " + to.String(), nil
	}
	return to.String(), err
}

func (p *Profile) pause(ctx context.Context) (string, error)  { return p.goTo(ctx, sim.Paused) }
func (p *Profile) resume(ctx context.Context) (string, error) { return p.goTo(ctx, sim.Playing) }

// step does one step of a paused simulation.
func (p *Profile) step(ctx context.Context) (string, error) {
	done, err := sim.Call[sim.Stepped](ctx, p.backend, sim.StepWorld{N: 1})
	return fmt.Sprintf("at %v", done.Time), err
}

// pauseAndStep pauses the simulation, and does one step.
func (p *Profile) pauseAndStep(ctx context.Context) (string, error) {
	if _, err := p.pause(ctx); err != nil {
		return "", err
	}
	return p.step(ctx)
}

func (p *Profile) control(ctx context.Context, q *gssimmsgs.SimulationControlRequest) (string, error) {
	switch q.Command {
	case gssimmsgs.SimulationControlRequestCmdPause:
		return p.pause(ctx)
	case gssimmsgs.SimulationControlRequestCmdResume:
		return p.resume(ctx)
	case gssimmsgs.SimulationControlRequestCmdStep:
		if q.StepOnce {
			return p.step(ctx)
		}
		return p.pauseAndStep(ctx)
	case gssimmsgs.SimulationControlRequestCmdReset:
		_, err := p.backend.Do(ctx, sim.Reset{})
		return "reset", err
	}
	return "", fmt.Errorf("%w: command %d; want 0 (pause), 1 (resume), 2 (step) or 3 (reset)",
		errCommand, q.Command)
}

// resetWorld brings back the world as it was loaded, or but for the clock. An
// all-zero quaternion stands for the pose that the world has.
func (p *Profile) resetWorld(ctx context.Context, q *gssimmsgs.ResetWorldRequest) (string, error) {
	c := sim.Reset{Scope: sim.ResetState | sim.ResetSpawned}
	if q.ResetTime {
		c.Scope = sim.ResetAll
	}
	if to := geometry.PoseOf(q.InitialPose); to.Rot != (r3.Quat{}) {
		ego, err := p.ego()
		if err != nil {
			return "", err
		}
		c.Move, c.To = ego, to
	}
	_, err := p.backend.Do(ctx, c)
	return sim.Describe(c), err
}

// setEgoPose puts the vehicle somewhere, with a velocity in its own frame.
func (p *Profile) setEgoPose(ctx context.Context, q *gssimmsgs.SetEgoPoseRequest) (string, error) {
	ego, err := p.ego()
	if err != nil {
		return "", err
	}
	to, own := geometry.PoseOf(q.Pose), geometry.TwistOf(q.Twist)
	turn, ok := to.Rot.Unit()
	if !ok {
		turn = r3.Identity() // all zero; what is no rotation at all is refused
	}
	c := sim.SetEntityState{Name: ego, Pose: &to, Twist: new(own.Rotate(turn))}
	_, err = p.backend.Do(ctx, c)
	return sim.Describe(c), err
}

// loadWorld loads another world, which goes on as the one before did.
func (p *Profile) loadWorld(ctx context.Context, q *gssimmsgs.LoadWorldRequest) *gssimmsgs.LoadWorldResponse {
	to := sim.Paused
	if p.backend.Snapshot().State == sim.Playing {
		to = sim.Playing
	}
	_, err := p.backend.Do(ctx, sim.LoadWorld{Resource: sim.Resource{URI: q.WorldBundlePath}})
	if err == nil {
		_, err = p.backend.Do(ctx, sim.SetState{State: to})
	}
	if err != nil {
		return &gssimmsgs.LoadWorldResponse{Message: whyNot(q.WorldBundlePath, err)}
	}
	s := p.backend.Snapshot()
	r := &gssimmsgs.LoadWorldResponse{Success: true, WorldInfo: *worldInfo(s)}
	if r.Message = s.Model.World.Name + " is loaded"; s.Model.Site == nil {
		r.Message += "; it has no ego vehicle"
	}
	return r
}

// whyNot says which of three things went wrong: there is no such bundle, a file
// of it is missing, or it is invalid.
func whyNot(bundle string, err error) string {
	for _, c := range []struct {
		is   error
		text string
	}{
		{sim.ErrMissingAssets, "a file of the world bundle %q is missing: %v"},
		{sim.ErrUnreadableAssets, "a file of the world bundle %q cannot be read: %v"},
		{sim.ErrParse, "the world bundle %q is invalid: %v"},
		{sim.ErrNoResource, "there is no world bundle %q: %v"},
		{sim.ErrNotFound, "there is no world bundle %q: %v"},
	} {
		if errors.Is(err, c.is) {
			return fmt.Sprintf(c.text, bundle, err)
		}
	}
	return fmt.Sprintf("%q could not be loaded: %v", bundle, err)
}
