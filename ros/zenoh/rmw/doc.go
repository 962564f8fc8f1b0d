// Package rmw is a node.Middleware over Zenoh, in the way of rmw_zenoh_cpp.
//
// A topic is a key: domain, name, type and type hash. Each endpoint and each node has a liveliness token,
// whose key describes it (entity.go); tokens make the graph. Messages carry an attachment: sequence number,
// time and GID of the writer, which is the XXH3-128 of its token. A service has a queryable for each
// definition that it serves. Publishers of durability transient local answer queries for what they keep, as
// the advanced publishers of zenoh-ext do.
//
// Package node speaks of endpoints by GUIDs of DDS. Here the prefix is of the session's id, and the entity of
// the number in the token. A client or a server is one token and two endpoints, as in DDS.
package rmw
