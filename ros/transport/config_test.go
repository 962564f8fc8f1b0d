package transport

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestTheEnvironmentIsReadAsRosDoes(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want Config
		bad  string // text in the error
	}{
		{nil, Config{}, ""},
		{map[string]string{"ROS_DOMAIN_ID": " 42 "}, Config{Domain: 42}, ""},
		{map[string]string{"ROS_DOMAIN_ID": "233"}, Config{}, `"233"`},
		{map[string]string{"ROS_DOMAIN_ID": "-1"}, Config{}, `"-1"`},
		{map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "localhost"}, Config{Range: Localhost}, ""},
		{map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "OFF"}, Config{Range: Off}, ""},
		{map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "SYSTEM_DEFAULT"}, Config{}, ""},
		{map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "WORLD"}, Config{}, `"WORLD"`},
		{map[string]string{"ROS_STATIC_PEERS": "a; 10.0.0.1;;"},
			Config{StaticPeers: []string{"a", "10.0.0.1"}}, ""},
		{map[string]string{"ROS_LOCALHOST_ONLY": "1", "ROS_STATIC_PEERS": "a",
			"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}, Config{Range: Localhost}, ""},
		{map[string]string{"ROS_LOCALHOST_ONLY": "yes"}, Config{}, `"yes"`},
	} {
		got, err := FromEnv(func(k string) string { return c.env[k] })
		if c.bad != "" {
			if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), c.bad) {
				t.Errorf("%v: error %v, want one that names %s", c.env, err, c.bad)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: got %+v, %v; want %+v", c.env, got, err, c.want)
		}
	}
}

func TestRangesHaveTheNamesOfTheEnvironment(t *testing.T) {
	for r, want := range map[Range]string{Subnet: "SUBNET", Localhost: "LOCALHOST", Off: "OFF"} {
		got, err := FromEnv(func(k string) string {
			if k == "ROS_AUTOMATIC_DISCOVERY_RANGE" {
				return r.String()
			}
			return ""
		})
		if r.String() != want || err != nil || got.Range != r {
			t.Errorf("%v: %v %v", r, got.Range, err)
		}
	}
}
