package engine_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// cell is a battery "b" of 10 V, without a resistance, and of 0.01 Ah, which is 36 A·s. It drains from the
// beginning.
func cell(more string) string {
	return `<plugin filename="gz-sim-linearbatteryplugin-system" name="gz::sim::systems::LinearBatteryPlugin"><battery_name>b</battery_name><voltage>10</voltage>
		<open_circuit_voltage_constant_coef>10</open_circuit_voltage_constant_coef><capacity>0.01</capacity><fix_issue_225>true</fix_issue_225>` + more + `</plugin>`
}

// drained is a cell that drains by 20 W from the beginning, with a current that follows within a step.
func drained(more string) string {
	return cell("<power_load>20</power_load><start_draining>true</start_draining><smooth_current_tau>0.001</smooth_current_tau>" + more)
}

// powered is a body "m" of 1 kg with batteries.
func powered(more string) string { return brick("m", "0 0 0 0 0 0", r3.V(1, 1, 1), 1, more) }

// batteryOf is the battery of "m".
func batteryOf(t *testing.T, w *engine.World) sim.BatteryState {
	t.Helper()
	s := w.Snapshot()
	i, _ := s.Find("m")
	if all := s.BatteriesOf(i); len(all) == 1 {
		return all[0]
	}
	t.Fatalf("batteries %v", s.Batteries)
	return sim.BatteryState{}
}

// closeTo reports that a number is another one within a part of it.
func closeTo(got, want, within float64) bool { return math.Abs(got-want) <= within*math.Abs(want) }

// switched is the command that switches the battery of "m".
func switched(draining, charging bool) sim.SetBattery {
	return sim.SetBattery{Name: "m", Battery: "b", Draining: &draining, Charging: &charging}
}

// At a constant voltage V the current follows P/V with a time constant τ, and the charge is its integral.
func TestACurrentIsSmoothedAndTheChargeIsItsIntegral(t *testing.T) {
	const p, v, tau, capacity = 20.0, 10.0, 0.5, 36.0
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: powered(cell(
		"<power_load>20</power_load><start_draining>1</start_draining><smooth_current_tau>0.5</smooth_current_tau>"))})
	for seconds := 1.0; seconds < 5; seconds++ {
		advance(t, w, 1000)
		b := batteryOf(t, w)
		if want := p / v * (1 - math.Exp(-seconds/tau)); !closeTo(b.Current, want, 1e-3) {
			t.Errorf("after %v s it gives %v A, want %v", seconds, b.Current, want)
		}
		drawn := p / v * (seconds - tau*(1-math.Exp(-seconds/tau)))
		if got := (capacity - b.Charge*3600); !closeTo(got, drawn, 2e-3) {
			t.Errorf("after %v s it has given %v A·s, want %v", seconds, got, drawn)
		}
		if b.Voltage != v {
			t.Errorf("after %v s it has %v V", seconds, b.Voltage)
		}
	}
}

// Without a resistance the energy that is drawn is the work of the load: P·t = ∫V dq. The voltage is linear
// in the charge.
func TestAConstantPowerDrawsTheEnergyUnderTheVoltage(t *testing.T) {
	const p, e0, e1, c = 20.0, 10.0, -3.0, 36.0
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: powered(drained(
		"<open_circuit_voltage_linear_coef>-3</open_circuit_voltage_linear_coef>"))})
	for seconds := 2.0; seconds < 14; seconds += 2 {
		advance(t, w, 2000)
		b := batteryOf(t, w)
		q := b.Charge * 3600
		energy := (e0+e1)*(c-q) - e1/(2*c)*(c*c-q*q)
		if !closeTo(energy, p*seconds, 1e-3) {
			t.Errorf("after %v s it has given %v J, want %v", seconds, energy, p*seconds)
		}
		if want := e0 + e1*(1-q/c); !closeTo(b.Voltage, want, 1e-12) {
			t.Errorf("with %v A·s it has %v V, want %v", q, b.Voltage, want)
		}
	}
}

// The voltage at the terminals is the open-circuit voltage less that of the resistance: V² − E·V + P·R = 0.
func TestAResistanceLowersTheVoltageByTheCurrent(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: powered(drained("<resistance>0.5</resistance>"))})
	advance(t, w, 1000)
	if got, want := batteryOf(t, w).Voltage, 5+math.Sqrt(25-10); !closeTo(got, want, 1e-9) {
		t.Errorf("it has %v V, want %v", got, want)
	}
}

// With a time to charge of T hours it takes on its capacity C by C/T amperes, until it has 0.9 of it.
func TestABatteryChargesWithinItsTime(t *testing.T) {
	const hours, c = 0.005, 0.01 // 18 s
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: powered(cell(
		"<power_load>5</power_load><initial_charge>0.001</initial_charge><smooth_current_tau>0.001</smooth_current_tau><enable_recharge>true</enable_recharge><charging_time>0.005</charging_time>"))})
	do(t, w, switched(false, true))
	advance(t, w, 9000)
	b := batteryOf(t, w)
	if want := 0.001 + c/hours*9/3600; !closeTo(b.Charge, want, 1e-3) || !closeTo(b.Current, -c/hours, 1e-9) {
		t.Errorf("after 9 s it has %v Ah at %v A, want %v at %v", b.Charge, b.Current, want, -c/hours)
	}
	spec := &w.Snapshot().Model.Entities[0].Spec.Batteries[0]
	if got := b.Remaining(spec); math.Abs(got-0.8*18+9) > 0.01 {
		t.Errorf("%v s remain, want %v", got, 0.8*18-9)
	}
	advance(t, w, 5390)
	if b = batteryOf(t, w); b.Charge >= 0.9*c {
		t.Errorf("after 14.39 s it has %v Ah", b.Charge)
	}
	advance(t, w, 5000)
	b = batteryOf(t, w)
	if !closeTo(b.Charge, 0.9*c, 1e-3) || b.Current != 0 || b.Status(spec) != sim.BatteryCharging {
		t.Errorf("at the end it has %v Ah at %v A and is %v", b.Charge, b.Current, b.Status(spec))
	}
	do(t, w, switched(true, true)) // its charger gives more than its load takes
	advance(t, w, 3000)
	if b = batteryOf(t, w); !closeTo(b.Charge, 0.9*c, 1e-3) {
		t.Errorf("with a load and a charger it has %v Ah, want %v", b.Charge, 0.9*c)
	}
}

// The kinds of states follow each other in the order of their conditions.
func TestTheStatusOfABatteryIsTheFirstThatHolds(t *testing.T) {
	spec := &scene.Battery{Capacity: 2}
	for _, c := range []struct {
		state sim.BatteryState
		want  string
	}{
		{sim.BatteryState{Charge: 2}, "full"},
		{sim.BatteryState{Charge: 1.8}, "resting"},
		{sim.BatteryState{Charge: 2, Draining: true}, "draining"},
		{sim.BatteryState{Draining: true}, "empty"},
		{sim.BatteryState{Draining: true, Charging: true}, "charging"},
	} {
		if got := c.state.Status(spec).String(); got != c.want {
			t.Errorf("%+v is %s, want %s", c.state, got, c.want)
		}
	}
	if got := (&sim.BatteryState{Charge: 1, Current: 2}).Remaining(spec); got != 1800 {
		t.Errorf("1 Ah at 2 A last %v s", got)
	}
	if got := (&sim.BatteryState{Charge: 1}).Remaining(spec); !math.IsInf(got, 1) {
		t.Errorf("1 Ah at 0 A last %v s", got)
	}
}

// A battery rests with the voltage of its file until a load is switched on. A current that ends decays.
func TestABatteryRestsUntilItsLoadIsSwitchedOn(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: powered(strings.Replace(cell(
		"<power_load>20</power_load>"), "<voltage>10<", "<voltage>9.5<", 1))})
	advance(t, w, 500)
	if b := batteryOf(t, w); b != (sim.BatteryState{Voltage: 9.5, Charge: 0.01}) {
		t.Errorf("at rest it is %+v", b)
	}
	do(t, w, switched(true, false))
	advance(t, w, 1000)
	do(t, w, switched(false, false))
	was := batteryOf(t, w).Current
	advance(t, w, 2000)
	if got, want := batteryOf(t, w).Current, was*math.Exp(-2); !closeTo(got, want, 2e-3) {
		t.Errorf("2 s after it gave %v A it gives %v, want %v", was, got, want)
	}
	advance(t, w, 30000)
	if got := batteryOf(t, w).Current; got != 0 {
		t.Errorf("in the end it gives %v A", got)
	}
}

// poweredRover is a body with two wheels in the void, which turn by a drive, and more.
func poweredRover(more string) string {
	const wheel = `<link name="%s"><pose>0 %v 0 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial><collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link><joint name="%s_joint" type="continuous"><parent>base</parent><child>%s</child><axis><xyz>0 1 0</xyz><dynamics><damping>0.02</damping></dynamics></axis></joint>`
	return `<model name="m"><link name="base"><inertial><mass>10</mass><inertia><ixx>9e9</ixx><iyy>9e9</iyy><izz>9e9</izz></inertia></inertial></link>` +
		fmt.Sprintf(wheel, "left", 0.2, "left", "left") +
		fmt.Sprintf(wheel, "right", -0.2, "right", "right") +
		`<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"><left_joint>left_joint</left_joint><right_joint>right_joint</right_joint><wheel_separation>0.4</wheel_separation><wheel_radius>0.1</wheel_radius></plugin>` +
		more + `</model>`
}

// wheelSpeed is the speed of the left wheel of "m", rad/s.
func wheelSpeed(t *testing.T, w *engine.World) float64 {
	t.Helper()
	s := w.Snapshot()
	i, _ := s.Find("m")
	return s.JointsOf(i)[0].Velocity
}

// A drive begins to drain the battery with its first command. Empty, its wheels run out by their damping: ω =
// ω₀·e^(−d·t/I). Charged again, it goes on.
func TestTheWheelsOfADriveRunOutWhenItsBatteryIsEmpty(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: poweredRover(cell("<power_load>20</power_load><initial_charge>0.0005</initial_charge><smooth_current_tau>0.001</smooth_current_tau><enable_recharge>true</enable_recharge><charging_time>0.001</charging_time>"))})
	advance(t, w, 500)
	if b := batteryOf(t, w); b.Draining || b.Charge != 0.0005 {
		t.Errorf("before its first command it is %+v", b)
	}
	do(t, w, sim.DriveEntity{Name: "m", Twist: r3.Twist{Linear: r3.V(0.5, 0, 0)}})
	advance(t, w, 899) // 0.0005 Ah are 0.9 s of 2 A
	if b, v := batteryOf(t, w), wheelSpeed(t, w); !b.Draining || b.Empty() || !closeTo(v, 5, 1e-6) {
		t.Fatalf("after 0.899 s it is %+v with %v rad/s", b, v)
	}
	advance(t, w, 3)
	if !batteryOf(t, w).Empty() {
		t.Fatalf("after 0.902 s it is %+v", batteryOf(t, w))
	}
	was := wheelSpeed(t, w)
	advance(t, w, 500)
	if got, want := wheelSpeed(t, w), was*math.Exp(-0.02/0.01*0.5); !closeTo(got, want, 0.01) {
		t.Errorf("0.5 s later a wheel turns by %v rad/s, want %v", got, want)
	}
	do(t, w, sim.SetJoints{Name: "m",
		Targets: []sim.JointTarget{{Joint: "left_joint", Mode: sim.JointVelocity, Target: 3}}})
	was = wheelSpeed(t, w)
	advance(t, w, 100)
	if got, want := wheelSpeed(t, w), was*math.Exp(-0.2); !closeTo(got, want, 0.01) {
		t.Errorf("commanded without power a wheel turns by %v rad/s, want %v", got, want)
	}
	do(t, w, switched(false, true))
	advance(t, w, 500)
	if got := wheelSpeed(t, w); !closeTo(got, 3, 1e-6) {
		t.Errorf("with power again it turns by %v rad/s, want 3", got)
	}
	do(t, w, sim.DriveEntity{Name: "m", Twist: r3.Twist{Linear: r3.V(0.2, 0, 0)}})
	advance(t, w, 500)
	if got := wheelSpeed(t, w); !closeTo(got, 2, 1e-6) {
		t.Errorf("driven again it turns by %v rad/s, want 2", got)
	}
}

// A multicopter with an empty battery falls, as fast as its rotors run out.
func TestAMulticopterFallsWhenItsBatteryIsEmpty(t *testing.T) {
	models := strings.Replace(piloted("m", "0 0 10 0 0 0"), "</model>",
		drained("<initial_charge>0.002</initial_charge>")+"</model>", 1)
	w := judgeWorld(t, &judged{gravity: pull, models: models})
	do(t, w, sim.DriveEntity{Name: "m", Twist: r3.Twist{Linear: r3.V(0, 0, 0.1)}})
	advance(t, w, 3000)
	if v := state(t, w, "m").Twist.Linear.Z; math.Abs(v-0.1) > 0.05 {
		t.Errorf("it climbs by %v m/s", v)
	}
	advance(t, w, 800)
	was := state(t, w, "m").Twist.Linear.Z
	advance(t, w, 200)
	got := (state(t, w, "m").Twist.Linear.Z - was) / 0.2
	if !batteryOf(t, w).Empty() || !closeTo(got, -9.81, 0.01) {
		t.Errorf("with %+v it accelerates by %v m/s²", batteryOf(t, w), got)
	}
}

// The power of thrusters adds to that of their battery, and an empty one has no thrust.
func TestAThrusterDrawsFromItsBatteryAndStopsWithIt(t *testing.T) {
	const boat = `<model name="m"><link name="hull"><inertial><mass>90</mass><inertia><ixx>9</ixx><iyy>9</iyy><izz>9</izz></inertia></inertial></link><link name="prop"><pose>-1 0 0 0 0 0</pose><inertial><mass>10</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial></link><joint name="p" type="continuous"><parent>hull</parent><child>prop</child><axis><xyz>1 0 0</xyz></axis></joint><plugin filename="gz-sim-thruster-system" name="t"><joint_name>p</joint_name><propeller_diameter>0.2</propeller_diameter><thrust_coefficient>0.5</thrust_coefficient><battery_name>b</battery_name><power_load>40</power_load></plugin>`
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: boat + cell("<power_load>20</power_load><smooth_current_tau>0.001</smooth_current_tau><initial_charge>0.005</initial_charge>") + `</model>`})
	do(t, w, sim.SetJoints{Name: "m",
		Targets: []sim.JointTarget{{Joint: "p", Mode: sim.JointEffort, Target: 50}}})
	advance(t, w, 2000)
	if b := batteryOf(t, w); !closeTo(b.Current, 6, 1e-9) {
		t.Errorf("it gives %v A, want 6", b.Current)
	}
	if v := state(t, w, "m").Twist.Linear.X; !closeTo(v, 1, 1e-2) {
		t.Errorf("after 2 s it moves by %v m/s, want 1", v)
	}
	advance(t, w, 1100) // 0.005 Ah are 3 s of 6 A
	was := state(t, w, "m").Twist.Linear.X
	advance(t, w, 500)
	if got := state(t, w, "m").Twist.Linear.X; math.Abs(got-was) > 1e-9 || !batteryOf(t, w).Empty() {
		t.Errorf("with %+v it moves by %v m/s after %v", batteryOf(t, w), got, was)
	}
}

func TestCommandsThatABatteryCannotFollowAreRefused(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: powered(drained("")) +
		brick("bare", "5 0 0 0 0 0", r3.V(1, 1, 1), 1, "")})
	on := true
	for _, c := range []struct {
		command sim.SetBattery
		want    error
		says    string
	}{
		{sim.SetBattery{Name: "n"}, sim.ErrNotFound, `"n"`},
		{sim.SetBattery{Name: "bare", Battery: "b"}, sim.ErrUnsupported, `"bare" has no battery`},
		{sim.SetBattery{Name: "m", Battery: "c"}, sim.ErrNotFound, `"m" has no battery "c"`},
		{sim.SetBattery{Name: "m", Battery: "b", Charging: &on}, sim.ErrUnsupported, "cannot be charged"},
	} {
		_, err := w.Apply(c.command, engine.Loaded{})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", sim.Describe(c.command), err, c.says)
		}
	}
}

// A robot is driven until its battery is empty, coasts, is charged and goes on. Rewound, restored and reset
// at any of these it has the same bits again.
func TestABatteryIsRewoundRestoredAndReset(t *testing.T) {
	text := fmt.Sprintf(`<sdf version="1.9"><world name="w"><physics type="p"><max_step_size>0.001</max_step_size></physics><gravity>0 0 0</gravity>%s</world></sdf>`,
		poweredRover(drained("<initial_charge>0.0002</initial_charge><resistance>0.1</resistance><enable_recharge>1</enable_recharge><charging_time>0.0005</charging_time>")))
	w, err := engine.NewWorld(engine.Options{Rewind: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: sim.Resource{Document: text}})
	do(t, w, sim.SetState{State: sim.Playing})
	var hashes []uint64
	var states []sim.BatteryState
	run := func() {
		do(t, w, sim.DriveEntity{Name: "m", Twist: r3.Twist{Linear: r3.V(0.5, 0, 0)}})
		for i := range 10 {
			if i == 6 {
				do(t, w, switched(true, true))
			}
			advance(t, w, 100)
			hashes, states = append(hashes, w.Hash()), append(states, batteryOf(t, w))
			c, err := w.Restorable()
			if err != nil {
				t.Fatal(err)
			}
			again, err := engine.NewWorld(engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			do(t, again, c)
			if got := batteryOf(t, again); got != states[i] || again.Hash() != hashes[i] {
				t.Errorf("taken up elsewhere it is %+v with the hash %016x, want %+v and %016x", got,
					again.Hash(), states[i], hashes[i])
			}
		}
	}
	run()
	if !states[5].Empty() || states[9].Empty() {
		t.Fatalf("it has %v Ah after 0.6 s and %v after 1 s", states[5].Charge, states[9].Charge)
	}
	do(t, w, sim.Rewind{Back: 500 * time.Millisecond})
	do(t, w, sim.SetState{State: sim.Playing}) // as it was
	if got := batteryOf(t, w); got != states[4] || w.Hash() != hashes[4] {
		t.Errorf("rewound to 0.5 s it is %+v with the hash %016x, want %+v and %016x", got, w.Hash(), states[4],
			hashes[4])
	}
	advance(t, w, 100)
	do(t, w, switched(true, true))
	advance(t, w, 400)
	if w.Hash() != hashes[9] {
		t.Errorf("again at 1 s it has the hash %016x, want %016x", w.Hash(), hashes[9])
	}
	do(t, w, sim.Reset{Scope: sim.ResetAll})
	if got := batteryOf(t, w); got != (sim.BatteryState{Voltage: 10, Charge: 0.0002, Draining: true}) {
		t.Errorf("after a reset it is %+v", got)
	}
	first := slices.Clone(hashes)
	hashes, states = nil, nil
	run()
	if !slices.Equal(hashes, first) {
		t.Errorf("after a reset it runs to %016x, at first to %016x", hashes, first)
	}
}
