#!/usr/bin/env bash
# Runs a command in a network of its own, so that DDS never meets the machine's network, and with shared memory of its own.
#
#   netns.sh single COMMAND…    one namespace: loopback only
#   netns.sh veth COMMAND…      two namespaces joined by a cable: the command in 10.77.0.1, and 10.77.0.2 beside it
#   netns.sh bad COMMAND…       the same, and the cable loses, delays, doubles and reorders what goes through it
#
# The bad cable is made by tc netem; where the kernel has none this says so, and bad_link.py takes its place.
#
# A command that wants a process in the other namespace puts the words of $NETNS_PEER before it (empty in the single
# layout), and $NETNS_LAYOUT says which one it is. Both namespaces end with the command. Needs root or unprivileged user namespaces. Linux, iproute2, util-linux.
set -euo pipefail
layout=$1
shift
if [ -z "${NETNS_INSIDE:-}" ]; then
  for tool in unshare nsenter setpriv ip; do
    command -v $tool >/dev/null || { echo "netns: $tool is missing: install util-linux and iproute2" >&2; exit 3; }
  done
  user=(); [ "$(id -u)" = 0 ] || user=(--map-root-user)
  # Fast DDS finds its neighbours on one host by files in /dev/shm, whatever network they are in.
  NETNS_INSIDE=1 exec unshare "${user[@]}" --net --mount \
    sh -c '[ ! -d /dev/shm ] || mount -t tmpfs tmpfs /dev/shm && exec "$@"' netns "$0" "$layout" "$@"
fi

# worsen: has netem spoil what this end of the cable sends
worsen() { tc qdisc add dev cable root netem limit 10000 delay $2s $3s loss "$(percent $1)" duplicate "$(percent $4)"; }
percent() { awk "BEGIN { print $1 * 100 \"%\" }"; }

# plug PID: joins the two networks, by what the kernel has
plug() {
  if [ $layout = bad ] && ! { ip link add probe type veth peer name eborp && tc qdisc add dev probe root netem delay 1ms; } 2>/dev/null; then
    ip link del probe 2>/dev/null || true
    echo "netns: the kernel has no netem: bad_link.py takes its place" >&2
    setpriv --pdeathsig KILL "${PYTHON:-python3.11}" "$(dirname "$0")/bad_link.py" "$1" $faults &
    until ip link show cable && nsenter --target "$1" --net ip link show cable; do
      kill -0 $! 2>/dev/null || { echo "netns: there is no bad cable to be had: neither netem nor /dev/net/tun" >&2; exit 3; }
      sleep 0.01
    done >/dev/null 2>&1
    return
  fi
  ip link del probe 2>/dev/null || true
  ip link add cable type veth peer name cable netns "$1"
  [ $layout = veth ] || { worsen $faults; nsenter --target "$1" --net bash -c "$(declare -f worsen percent); worsen $faults"; }
}

faults="0.1 0.05 0.01 0.02" # loss, delay, jitter, twice: of frames, and in seconds
export NETNS_LAYOUT=$layout
ip link set lo up
case $layout in
single)
  ip link set lo multicast on # Linux leaves it off: without it no node hears another one's announcements here
  ip route add 239.0.0.0/8 dev lo
  export NETNS_PEER=""
  exec "$@"
  ;;
veth | bad)
  unshare --net setpriv --pdeathsig KILL sleep 3600 & # ends with this script, however that ends
  peer=$!
  trap 'kill $peer 2>/dev/null' EXIT
  until [ "$(readlink /proc/$peer/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
  plug $peer
  ip addr add 10.77.0.1/24 dev cable && ip link set cable up
  nsenter --target $peer --net bash -c 'ip link set lo up; ip addr add 10.77.0.2/24 dev cable; ip link set cable up'
  until ip link show cable | grep -q LOWER_UP && nsenter --target $peer --net ip link show cable | grep -q LOWER_UP; do
    sleep 0.01
  done
  export NETNS_PEER="nsenter --target $peer --net"
  "$@"
  ;;
*)
  echo "netns: no layout $layout: single, veth or bad" >&2
  exit 2
  ;;
esac
