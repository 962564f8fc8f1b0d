// Package autopilot flies models here by the flight software of drones, boats and submarines. ArduPilot's
// SITL speaks its JSON interface, Betaflight's its packets, and PX4's MAVLink. A server opens a port for each
// vehicle. Its world waits for every answer (sim.Lockstep), so that a flight is the same at any speed.
//
// An autopilot is a client like others: what it asks for becomes commands of package sim, and what it is told
// comes from snapshots. One that does not answer pauses the world.
package autopilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
)

const (
	// DefaultPatience is the time on the wall clock for which the world waits for an answer.
	DefaultPatience = 10 * time.Second
	// firstPatience is that for the first answer: the autopilot may still be starting.
	firstPatience = time.Minute
)

// protocol is a way to speak with autopilots.
type protocol struct {
	port, stride int // of the first instance, and from one to the next
	listen       func(address, entity string, log *slog.Logger) (link, error)
}

// protocols are those of package scene.
var protocols = map[string]protocol{
	scene.ArduPilot: {9002, 10, func(address, _ string, log *slog.Logger) (link, error) {
		return listenArduPilot(address, log)
	}},
	scene.Betaflight: {9001, 10, func(address, _ string, log *slog.Logger) (link, error) {
		return listenBetaflight(address, log)
	}},
	scene.PX4: {4560, 1, func(address, entity string, log *slog.Logger) (link, error) {
		return listenPX4(address, entity, log)
	}},
}

var (
	// ErrVehicle is wrapped when a vehicle cannot be flown by an autopilot.
	ErrVehicle = errors.New("no vehicle for an autopilot")
	errGone    = errors.New("the vehicle is gone")
)

// Vehicle is a model that an autopilot flies.
type Vehicle struct {
	Protocol string // scene.ArduPilot, scene.Betaflight or scene.PX4
	Entity   string // empty: each model of the world that can be flown by it
	Port     int    // 0: that of its file, or the protocol's own for its instance
}

// ParseVehicle reads a Vehicle as users write it: PROTOCOL, PROTOCOL:ENTITY or PROTOCOL:ENTITY:PORT. Errors
// wrap ErrVehicle.
func ParseVehicle(text string) (v Vehicle, err error) {
	v.Protocol, v.Entity, _ = strings.Cut(text, ":")
	if _, known := protocols[v.Protocol]; !known {
		return v, fmt.Errorf(
			"%w: %q: want ardupilot, betaflight or px4, with :ENTITY and :PORT behind it or not",
			ErrVehicle, text)
	}
	if strings.HasPrefix(v.Entity, ":") {
		return v, fmt.Errorf("%w: %q: want an entity before a port", ErrVehicle, text)
	}
	if at := strings.LastIndexByte(v.Entity, ':'); at >= 0 && !strings.HasSuffix(v.Entity[:at], ":") {
		port, err := strconv.ParseUint(v.Entity[at+1:], 10, 16)
		if err != nil || port == 0 {
			return v, fmt.Errorf("%w: %q: port %q: want 1 to 65535", ErrVehicle, text, v.Entity[at+1:])
		}
		v.Entity, v.Port = v.Entity[:at], int(port)
	}
	return v, nil
}

// OpenNamed is Open with vehicles as users write them. Errors that are theirs wrap ErrVehicle. A patience of
// 0 is that of a world which does not wait.
func OpenNamed(names []string, c Config) (*Server, error) {
	for _, name := range names {
		v, err := ParseVehicle(name)
		if err != nil {
			return nil, err
		}
		c.Vehicles = append(c.Vehicles, v)
	}
	if c.Patience == 0 {
		c.Patience = -1
	}
	return Open(c)
}

// Config of a Server.
type Config struct {
	Vehicles []Vehicle
	Address  string        // to listen on; empty: this machine only
	Backend  sim.Backend   // with the vehicles
	Patience time.Duration // 0: DefaultPatience; below 0: the world does not wait
	Log      *slog.Logger  // nil: nobody
}

// Server flies vehicles.
type Server struct {
	c        Config
	sessions []*session
}

// Open binds a port for each vehicle and flies none before Run. Errors wrap ErrVehicle, or those of package
// net.
func Open(c Config) (*Server, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Patience, c.Address = cmp.Or(c.Patience, DefaultPatience), cmp.Or(c.Address, "127.0.0.1")
	s := &Server{c: c}
	instances := map[string]int{}
	for _, asked := range c.Vehicles {
		all, err := s.resolve(asked, instances)
		if err == nil {
			err = s.listen(all)
		}
		if err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// resolve finds the vehicles that a user means, with their ports.
func (s *Server) resolve(asked Vehicle, instances map[string]int) ([]Vehicle, error) {
	by := protocols[asked.Protocol]
	all := []Vehicle{asked}
	if asked.Entity == "" {
		if all = candidates(s.c.Backend.Snapshot(), asked.Protocol); len(all) == 0 {
			return nil, fmt.Errorf(
				"%w: no model of the world has rotors or names an autopilot; want %s:ENTITY",
				ErrVehicle, asked.Protocol)
		}
	}
	for i := range all {
		v := &all[i]
		if asked.Port != 0 {
			v.Port = asked.Port + i*by.stride
		}
		if v.Port == 0 {
			v.Port = by.port + instances[asked.Protocol]*by.stride
		}
		instances[asked.Protocol]++
		if v.Port > 65535 {
			return nil, fmt.Errorf("%w: port %d of %s: want at most 65535", ErrVehicle, v.Port, v.Entity)
		}
	}
	return all, nil
}

// candidates are the models that a protocol may fly, by name: those whose files name it, else those with
// rotors.
func candidates(snapshot *sim.Snapshot, protocol string) (named []Vehicle) {
	var able []Vehicle
	for i := range snapshot.Model.Entities {
		e := &snapshot.Model.Entities[i]
		if e.Spec == nil || e.Static {
			continue
		}
		if k := slices.IndexFunc(e.Spec.Autopilots,
			func(a scene.Autopilot) bool { return a.Protocol == protocol }); k >= 0 {
			named = append(named, Vehicle{protocol, e.Name, e.Spec.Autopilots[k].Port})
		} else if len(e.Spec.Flow.Rotors) > 0 {
			able = append(able, Vehicle{Protocol: protocol, Entity: e.Name})
		}
	}
	if len(named) == 0 {
		return able
	}
	return named
}

// listen opens a port for each vehicle.
func (s *Server) listen(all []Vehicle) error {
	for _, v := range all {
		n := &session{backend: s.c.Backend, patience: s.c.Patience, vehicle: vehicle{Vehicle: v},
			log: s.c.Log.With("vehicle", v.Entity)}
		address := net.JoinHostPort(s.c.Address, strconv.Itoa(v.Port))
		var err error
		if n.link, err = protocols[v.Protocol].listen(address, v.Entity, n.log); err != nil {
			return fmt.Errorf("autopilot %s of %s cannot be listened for: %w (--autopilot %s:%s:PORT)",
				v.Protocol, v.Entity, err, v.Protocol, v.Entity)
		}
		s.sessions = append(s.sessions, n)
		if found, err := n.vehicle.take(s.c.Backend.Snapshot()); err != nil {
			return err
		} else if found { // so that the first step waits
			n.join()
		}
		n.log.Info("an autopilot may connect", "protocol", v.Protocol, "address", n.link.address().String())
	}
	return nil
}

// Addr is the address at which the autopilot of a vehicle is listened for, by the order in which they were
// found.
func (s *Server) Addr(vehicle int) net.Addr { return s.sessions[vehicle].link.address() }

func (s *Server) close() {
	for _, n := range s.sessions {
		n.leave()
		n.link.close()
	}
}

// Run flies all vehicles until ctx ends.
func (s *Server) Run(ctx context.Context) error {
	var running sync.WaitGroup
	for _, n := range s.sessions {
		running.Go(func() { n.run(ctx) })
	}
	running.Wait()
	s.close()
	return nil
}
