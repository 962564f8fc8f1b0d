#!/usr/bin/env bash
# Runs a command in a network of its own, so that DDS never meets the machine's network.
#
#   netns.sh single COMMAND…    one namespace: loopback only
#   netns.sh veth COMMAND…      two namespaces joined by a cable: the command in 10.77.0.1, and 10.77.0.2 beside it
#
# A command that wants a process in the other namespace puts the words of $NETNS_PEER before it (empty in the single
# layout). Both namespaces end with the command. Needs root or unprivileged user namespaces. Linux, iproute2, util-linux.
set -euo pipefail
layout=$1
shift
if [ -z "${NETNS_INSIDE:-}" ]; then
  for tool in unshare nsenter setpriv ip; do
    command -v $tool >/dev/null || { echo "netns: $tool is missing: install util-linux and iproute2" >&2; exit 3; }
  done
  user=(); [ "$(id -u)" = 0 ] || user=(--map-root-user)
  NETNS_INSIDE=1 exec unshare "${user[@]}" --net "$0" "$layout" "$@"
fi

ip link set lo up
case $layout in
single)
  ip link set lo multicast on # Linux leaves it off: without it no node hears another one's announcements here
  ip route add 239.0.0.0/8 dev lo
  export NETNS_PEER=""
  exec "$@"
  ;;
veth)
  unshare --net setpriv --pdeathsig KILL sleep 3600 & # ends with this script, however that ends
  peer=$!
  trap 'kill $peer 2>/dev/null' EXIT
  until [ "$(readlink /proc/$peer/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
  ip link add cable type veth peer name cable netns $peer
  ip addr add 10.77.0.1/24 dev cable && ip link set cable up
  nsenter --target $peer --net bash -c 'ip link set lo up; ip addr add 10.77.0.2/24 dev cable; ip link set cable up'
  until ip link show cable | grep -q 'state UP' && nsenter --target $peer --net ip link show cable | grep -q 'state UP'; do
    sleep 0.01
  done
  export NETNS_PEER="nsenter --target $peer --net"
  "$@"
  ;;
*)
  echo "netns: no layout $layout: single or veth" >&2
  exit 2
  ;;
esac
