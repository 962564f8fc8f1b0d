package node

import (
	"slices"
	"strings"
	"testing"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/simifdraft"
	"simdeck/ros/msgs/typedescriptioninterfaces"
)

func TestTypesAreDescribedByNameAndHash(t *testing.T) {
	onBench(t, func(b *bench) {
		n, client := b.node("n"), b.node("client")
		b.start(n)
		b.start(client)
		c, err := NewClient(client, "/n/get_type_description",
			typedescriptioninterfaces.GetTypeDescriptionService())
		if err != nil {
			t.Fatal(err)
		}
		ask := func(name, hash string) *typedescriptioninterfaces.GetTypeDescriptionResponse {
			r, err := c.Call(b.soon(), &getDescription{TypeNameValue: name, TypeHashValue: hash,
				IncludeTypeSources: true})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := ask("geometry_msgs/msg/Twist", (*geometrymsgs.Twist)(nil).TypeHash())
		d := r.TypeDescription
		if !r.Successful || d.TypeDescription.TypeNameValue != "geometry_msgs/msg/Twist" ||
			len(d.TypeDescription.Fields) != 2 ||
			d.TypeDescription.Fields[0].Type.NestedTypeName != "geometry_msgs/msg/Vector3" ||
			len(d.ReferencedTypeDescriptions) != 1 {
			t.Errorf("a twist is described as %+v", r)
		}
		if len(r.TypeSources) != 2 || r.TypeSources[0].Encoding != "msg" ||
			!strings.Contains(r.TypeSources[0].RawFileContents, "Vector3 linear") {
			t.Errorf("its sources are %+v", r.TypeSources)
		}
		const spawn = "simulation_interfaces/srv/SpawnEntities_Request"
		for hash, field := range map[string]string{"": "spawn_requests",
			(*simif2.SpawnEntitiesRequest)(nil).TypeHash():     "spawn_requests",
			(*simifdraft.SpawnEntitiesRequest)(nil).TypeHash(): "names"} {
			r := ask(spawn, hash)
			if !r.Successful || r.TypeDescription.TypeDescription.Fields[0].Name != field ||
				r.TypeSources[0].Encoding != "implicit" {
				t.Errorf("%s of hash %q: %+v", spawn, hash, r)
			}
		}
		const load = "simulation_interfaces/srv/LoadWorld_Request"
		has := func(hash string) []string {
			var names []string
			for _, f := range ask(load, hash).TypeDescription.TypeDescription.Fields {
				names = append(names, f.Name)
			}
			return names
		}
		if one := has((*simif1.LoadWorldRequest)(nil).TypeHash()); !slices.Contains(one, "uri") {
			t.Errorf("1.x has %q", one)
		}
		if two := has((*simif2.LoadWorldRequest)(nil).TypeHash()); !slices.Contains(two, "world_resource") {
			t.Errorf("2.x has %q", two)
		}
		if r := ask("a/msg/B", ""); r.Successful || !strings.Contains(r.FailureReason, "a/msg/B") {
			t.Errorf("an unknown type: %+v", r)
		}
		if r := ask("geometry_msgs/msg/Twist", "RIHS01_00"); r.Successful ||
			!strings.Contains(r.FailureReason, "RIHS01_00") {
			t.Errorf("an unknown hash: %+v", r)
		}
	})
}

func TestTypesAreNotDescribedWhereTheParameterSaysSo(t *testing.T) {
	onBench(t, func(b *bench) {
		n, client := b.node("n", "-p", "start_type_description_service:=false"), b.node("client")
		b.start(n)
		b.start(client)
		b.until("the node", func() bool { return slices.Contains(client.Graph().Nodes, "/n") })
		for _, s := range client.Servers() {
			if s.Name == "/n/get_type_description" {
				t.Error("the service is there")
			}
		}
		if v, _ := n.Parameters().Get("start_type_description_service"); v.Type != Bool || v.BoolValue {
			t.Errorf("the parameter is %s", Text(v))
		}
	})
}
