package control

import (
	"context"
	"errors"

	"simdeck/ros/msgs"
	cm "simdeck/ros/msgs/controllermanagermsgs"
	"simdeck/ros/node"
)

// baseClass is the class of all controllers as pluginlib knows them.
const baseClass = "controller_interface::ControllerInterface"

// serve makes the services.
func (m *Manager) serve() error {
	return errors.Join(
		answer(m, "list_controllers", cm.ListControllersService(), m.listControllers),
		answer(m, "list_controller_types", cm.ListControllerTypesService(), listTypes),
		answer(m, "list_hardware_components", cm.ListHardwareComponentsService(), m.listHardware),
		answer(m, "list_hardware_interfaces", cm.ListHardwareInterfacesService(), m.listInterfaces),
		answer(m, "load_controller", cm.LoadControllerService(),
			func(ctx context.Context, q *cm.LoadControllerRequest) *cm.LoadControllerResponse {
				return &cm.LoadControllerResponse{OK: m.done("load", q.Name, m.load(ctx, q.Name))}
			}),
		answer(m, "configure_controller", cm.ConfigureControllerService(),
			func(ctx context.Context, q *cm.ConfigureControllerRequest) *cm.ConfigureControllerResponse {
				return &cm.ConfigureControllerResponse{OK: m.each("configure", q.Name, m.configure)}
			}),
		answer(m, "cleanup_controller", cm.CleanupControllerService(),
			func(ctx context.Context, q *cm.CleanupControllerRequest) *cm.CleanupControllerResponse {
				return &cm.CleanupControllerResponse{OK: m.each("clean up", q.Name, m.cleanUp)}
			}),
		answer(m, "unload_controller", cm.UnloadControllerService(),
			func(ctx context.Context, q *cm.UnloadControllerRequest) *cm.UnloadControllerResponse {
				return &cm.UnloadControllerResponse{OK: m.each("unload", q.Name,
					func(c *controller) error { return m.unload(ctx, c) })}
			}),
		answer(m, "switch_controller", cm.SwitchControllerService(), m.switchControllers),
		answer(m, "set_hardware_component_state", cm.SetHardwareComponentStateService(), m.setHardware),
		answer(m, "reload_controller_libraries", cm.ReloadControllerLibrariesService(), m.reload))
}

// answer makes a service. Requests are answered one after the other, and no command arrives meanwhile.
func answer[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](m *Manager, name string, svc msgs.Service[Q, S],
	do func(context.Context, *Q) *S) error {
	line := node.NewLine[Q, S, PQ, PS](svc, func(ctx context.Context, _ node.Caller, q *Q) *S {
		m.changing.Lock()
		defer m.changing.Unlock()
		return do(ctx, q)
	}, nil)
	_, err := m.node.Serve(node.ServerConfig{Name: "~/" + name, Lines: []node.Line{line}})
	return err
}

// done logs what became of a request, whose response has no words, and tells the states.
func (m *Manager) done(what, name string, err error) bool {
	if err != nil {
		m.node.Log().Error("could not "+what+" a controller", "controller", name, "error", err)
		return false
	}
	m.tell()
	return true
}

// each does something with a controller that is loaded.
func (m *Manager) each(what, name string, do func(*controller) error) bool {
	c := m.find(name)
	if c == nil {
		return m.done(what, name, errors.New("it is not loaded"))
	}
	return m.done(what, name, do(c))
}

// cleanUp makes an inactive controller unconfigured.
func (m *Manager) cleanUp(c *controller) error {
	if c.state == active {
		return errActive
	}
	m.cleanup(c)
	return nil
}

var errActive = errors.New("it is active; deactivate it first")

func (m *Manager) listControllers(context.Context, *cm.ListControllersRequest) *cm.ListControllersResponse {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &cm.ListControllersResponse{}
	for _, c := range m.controllers {
		one := cm.ControllerState{Name: c.name, State: c.state.String(), Type: c.kind,
			UpdateRate: uint16(min(c.rate, 1<<16-1)), RequiredCommandInterfaces: c.wants.commands,
			RequiredStateInterfaces: c.wants.states}
		if c.state == active {
			one.ClaimedInterfaces = c.wants.commands
		}
		s.Controller = append(s.Controller, one)
	}
	return s
}

func listTypes(context.Context, *cm.ListControllerTypesRequest) *cm.ListControllerTypesResponse {
	s := &cm.ListControllerTypesResponse{}
	for _, name := range kindNames() {
		s.Types, s.BaseClasses = append(s.Types, name), append(s.BaseClasses, baseClass)
	}
	return s
}

func (m *Manager) listHardware(context.Context,
	*cm.ListHardwareComponentsRequest) *cm.ListHardwareComponentsResponse {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &cm.ListHardwareComponentsResponse{}
	for i := range m.hardware.components {
		c := &m.hardware.components[i]
		one := cm.HardwareComponentState{Name: c.spec.Name, Type: c.spec.Type, PluginName: c.spec.Plugin,
			ClassType: c.spec.Plugin, RwRate: uint16(min(m.rate, 1<<16-1)), State: c.state.message()}
		one.CommandInterfaces, one.StateInterfaces = m.interfaces(i)
		s.Component = append(s.Component, one)
	}
	return s
}

func (m *Manager) listInterfaces(context.Context,
	*cm.ListHardwareInterfacesRequest) *cm.ListHardwareInterfacesResponse {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &cm.ListHardwareInterfacesResponse{}
	s.CommandInterfaces, s.StateInterfaces = m.interfaces(-1)
	return s
}

func (m *Manager) switchControllers(ctx context.Context,
	q *cm.SwitchControllerRequest) *cm.SwitchControllerResponse {
	said, err := m.change(ctx, q)
	if err != nil {
		m.node.Log().Error("controllers could not be switched", "error", err)
		return &cm.SwitchControllerResponse{Message: err.Error()}
	}
	m.tell()
	return &cm.SwitchControllerResponse{OK: true, Message: said}
}

// setHardware changes the state of a component. Controllers that have its interfaces become inactive before
// it is not available any more.
func (m *Manager) setHardware(ctx context.Context,
	q *cm.SetHardwareComponentStateRequest) *cm.SetHardwareComponentStateResponse {
	s, err := m.moveHardware(ctx, q)
	if err != nil {
		m.node.Log().Error("the state of hardware could not be set", "hardware", q.Name, "error", err)
	} else {
		m.tell()
	}
	return &cm.SetHardwareComponentStateResponse{OK: err == nil, State: s.message()}
}

// reload finds the types of controllers again, which are part of simdeck. No controller is loaded afterwards.
func (m *Manager) reload(ctx context.Context,
	q *cm.ReloadControllerLibrariesRequest) *cm.ReloadControllerLibrariesResponse {
	m.mu.Lock()
	loaded := append([]*controller(nil), m.controllers...)
	m.mu.Unlock()
	if len(loaded) > 0 && !q.ForceKill {
		m.node.Log().Error("controllers are loaded: unload them first, or ask with force_kill",
			"controllers", len(loaded))
		return &cm.ReloadControllerLibrariesResponse{}
	}
	x := &exchange{manager: m}
	for _, c := range loaded {
		if c.state == active {
			x.deactivate = append(x.deactivate, c)
		}
	}
	err := x.do(ctx, cm.NewSwitchControllerRequest().Timeout)
	for _, c := range loaded {
		if err == nil {
			err = m.unload(ctx, c)
		}
	}
	return &cm.ReloadControllerLibrariesResponse{OK: m.done("unload", "all", err)}
}
