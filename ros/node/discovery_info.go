package node

import (
	"fmt"

	"simdeck/ros/cdr"
	"simdeck/ros/rtps/wire"
)

// The topic on which participants say which nodes they are, and its type
// (rmw_dds_common). It has no ROS prefix.
const (
	discoveryTopic = "ros_discovery_info"
	discoveryType  = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_"
	discoveryHash  = "RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e"
)

// A Gid on the wire: 16 bytes since Iron, 24 in Humble, under one type name.
// The wrong one makes Humble allocate without bound, so it is chosen per peer.
const (
	gidNow    = 16
	gidHumble = 24
)

// Bounds of a participant's discovery data: more is refused before it is stored.
const (
	maxNodes     = 1024
	maxEndpoints = 8192 // of a node, each way
)

// appendDiscoveryInfo encodes the complete state of a participant.
func appendDiscoveryInfo(b []byte, participant wire.GUID, nodes []NodeEntities, gidLen int) []byte {
	b = cdr.AppendHeader(b)
	b = appendGID(b, participant, gidLen)
	b = cdr.AppendCount(b, len(nodes))
	for _, n := range nodes {
		b = cdr.AppendString(b, n.Namespace)
		b = cdr.AppendString(b, n.Name)
		b = appendGIDs(b, n.Readers, gidLen)
		b = appendGIDs(b, n.Writers, gidLen)
	}
	return b
}

func appendGIDs(b []byte, gids []wire.GUID, gidLen int) []byte {
	b = cdr.AppendCount(b, len(gids))
	for _, g := range gids {
		b = appendGID(b, g, gidLen)
	}
	return b
}

func appendGID(b []byte, g wire.GUID, gidLen int) []byte {
	raw := g.Bytes()
	b = append(b, raw[:]...)
	return append(b, make([]byte, gidLen-len(raw))...)
}

// gidLength is the layout of an entry. A participant that announces a type hash uses today's. Others are
// Humble's, which end the participant's Gid with eight zeros, or stacks that announce none (ros2-client):
// there the count of nodes follows.
func gidLength(payload []byte, typed bool) int {
	const gid = wire.EncapsulationSize + gidNow
	if typed || len(payload) < gid+8 || [8]byte(payload[gid:gid+8]) != [8]byte{} {
		return gidNow
	}
	return gidHumble
}

// parseDiscoveryInfo decodes a participant's state; counts are checked against
// the bytes that are there.
func parseDiscoveryInfo(payload []byte, gidLen int) (wire.GUID, []NodeEntities, error) {
	r := cdr.NewReader(payload)
	participant := readGID(r, gidLen)
	nodes := make([]NodeEntities, r.Count(18, maxNodes))
	for i := range nodes {
		nodes[i] = NodeEntities{NodeName: NodeName{r.String("", 256), r.String("", 256)}}
		nodes[i].Readers = readGIDs(r, gidLen)
		nodes[i].Writers = readGIDs(r, gidLen)
		if r.Err() != nil {
			break
		}
	}
	if err := r.Err(); err != nil {
		return wire.GUID{}, nil, fmt.Errorf("%s with gids of %d bytes: %w", discoveryTopic, gidLen, err)
	}
	return participant, nodes, nil
}

func readGIDs(r *cdr.Reader, gidLen int) []wire.GUID {
	gids := make([]wire.GUID, r.Count(gidLen, maxEndpoints))
	for i := range gids {
		gids[i] = readGID(r, gidLen)
	}
	return gids
}

func readGID(r *cdr.Reader, gidLen int) wire.GUID {
	var raw [gidHumble]byte
	r.Uint8s(raw[:gidLen])
	return wire.GUIDFromBytes([16]byte(raw[:16]))
}
