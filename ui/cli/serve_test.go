package cli

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestViewersListensOnThisMachineUnlessItIsToldMore(t *testing.T) {
	l := run(t, []string{"viewers"}, nil)
	if l.err != nil || l.ran != "viewers" || l.options.Viewers.Address != "127.0.0.1:23280" ||
		l.options.Viewers.Store != "" {
		t.Errorf("%v %s %+v", l.err, l.ran, l.options.Viewers)
	}
	l = run(t, []string{"viewers", "--listen", "0.0.0.0:80", "--viewers-names", "a.org,b.org", "--store",
		"worlds",
		"--domain", "7"}, nil)
	v := l.options.Viewers
	if l.err != nil || v.Address != "0.0.0.0:80" || len(v.Names) != 2 || !filepath.IsAbs(v.Store) ||
		filepath.Base(v.Store) != "worlds" || l.options.ROS.Domain != 7 {
		t.Errorf("%v %+v", l.err, l.options)
	}
	for _, args := range [][]string{{"viewers", "--listen", ""}, {"viewers", "hall.sdf"}} {
		if l := run(t, args, nil); !errors.Is(l.err, ErrUsage) {
			t.Errorf("%q: %v", args, l.err)
		}
	}
	if l := run(t, []string{"serve", "--viewers", "8080", "a"}, nil); l.err != nil ||
		l.options.Viewers.Address != "8080" {
		t.Errorf("%v %+v", l.err, l.options.Viewers)
	}
}
