package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"simdeck/sim"
)

func TestKeysAreHeldUntilTheirTimeOrTheirRelease(t *testing.T) {
	k, start := &sim.Keyboard{}, time.Unix(1000, 0)
	if got := k.Pressed("cart", start); got != nil {
		t.Errorf("without an operator: %v", got)
	}
	operator := k.Type([]string{"cart"})
	up, left := sim.Key{Name: "up"}, sim.Key{Name: "left", Shift: true}
	operator.Press(up, start.Add(time.Second))
	operator.Press(left, time.Time{})
	if got, want := k.Pressed("cart", start), []sim.Key{left, up}; !slices.Equal(got, want) {
		t.Errorf("held: %v, want %v, the newest first", got, want)
	}
	operator.Press(up, start.Add(3*time.Second))
	if got := k.Pressed("cart", start.Add(2*time.Second)); !slices.Equal(got, []sim.Key{left, up}) {
		t.Errorf("up is pressed again: %v, want left, up", got)
	}
	if got, want := k.Pressed("cart", start.Add(3*time.Second)), []sim.Key{left}; !slices.Equal(got, want) {
		t.Errorf("up has had its time: %v, want %v", got, want)
	}
	if got, want := operator.Held(start.Add(3*time.Second)), []sim.Key{left}; !slices.Equal(got, want) {
		t.Errorf("the operator holds %v, want %v", got, want)
	}
	operator.Press(up, start.Add(5*time.Second))
	operator.Press(up, start.Add(4*time.Second))
	if got, want := operator.Held(start.Add(4*time.Second)), []sim.Key{up, left}; !slices.Equal(got, want) {
		t.Errorf("a later press holds up no shorter: %v, want %v", got, want)
	}
	operator.Release("up")
	operator.Release("left")
	if got := k.Pressed("cart", start.Add(3*time.Second)); got != nil {
		t.Errorf("left is released, whatever was held with it: %v", got)
	}
	operator.Press(left, time.Time{})
	operator.Leave()
	operator.Leave()
	if got := k.Pressed("cart", start); got != nil {
		t.Errorf("an operator who has left holds %v", got)
	}
}

func TestKeysReachTheRobotsForWhomTheyAreTyped(t *testing.T) {
	k, now := &sim.Keyboard{}, time.Unix(1000, 0)
	stop := k.Listen("cart")
	k.Listen("arm")
	k.Listen("cart")()
	if got, want := k.Listeners(), []string{"arm", "cart"}; !slices.Equal(got, want) {
		t.Errorf("listeners: %v, want %v", got, want)
	}
	one, all := k.Type([]string{"cart"}), k.Type(nil)
	one.Press(sim.Key{Name: "A"}, time.Time{})
	all.Press(sim.Key{Name: "B"}, time.Time{})
	all.Press(sim.Key{Name: "A"}, time.Time{})
	if got, want := k.Pressed("cart", now), []sim.Key{{Name: "A"}, {Name: "B"}}; !slices.Equal(got, want) {
		t.Errorf("the cart gets %v, want %v, each key once", got, want)
	}
	if got, want := k.Pressed("arm", now), []sim.Key{{Name: "A"}, {Name: "B"}}; !slices.Equal(got, want) {
		t.Errorf("the arm gets %v, want what is typed for all, %v", got, want)
	}
	all.Leave()
	if got := k.Pressed("arm", now); got != nil {
		t.Errorf("the arm gets %v, which is typed for the cart", got)
	}
	stop()
	if got, want := k.Listeners(), []string{"arm"}; !slices.Equal(got, want) {
		t.Errorf("listeners: %v, want %v", got, want)
	}
	for n := range 100 {
		one.Press(sim.Key{Name: fmt.Sprint(n)}, time.Time{})
	}
	if got := k.Pressed("cart", now); len(got) != sim.MaxPressed || got[0].Name != "99" {
		t.Errorf("a terminal that presses 100 keys holds %d, the first %v; want the newest %d", len(got), got[0],
			sim.MaxPressed)
	}
}
