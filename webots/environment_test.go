package webots

import (
	"slices"
	"testing"

	"simdeck/sim"
)

func TestControllersGetNoSecretsOfTheEnvironment(t *testing.T) {
	given := environment{"PATH=/bin", "HOME=/home/a", "AWS_SECRET_ACCESS_KEY=x", "GITHUB_TOKEN=x", "SSH_AUTH_SOCK=/s",
		"LD_PRELOAD=/x.so", "LC_ALL=C", "WEBOTS_HOME=/w", "PYTHONPATH=/p", "ROS_DOMAIN_ID=3", "HOMEBREW_GITHUB_API_TOKEN=x",
		"DB_PASSWORD=x", "SIMDECK_ANY=x", "Path=C:", "=C:=x"}
	want := environment{"PATH=/bin", "HOME=/home/a", "LC_ALL=C", "WEBOTS_HOME=/w", "PYTHONPATH=/p",
		"ROS_DOMAIN_ID=3",
		"Path=C:"}
	st := newStarted(Programs{Project: "/p", Environ: given}, "",
		surroundings{lockstep: sim.NewLockstep(func() {})})
	if got := environment(st.c.Environ); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
