#!/usr/bin/env bash
# Lets a real ROS 2 drive ./simdeck: on one host and between two, or measures the two against each other.
#
#   run.sh test [PYTEST ARGUMENTS…]    the whole suite in both layouts (LAYOUT=single or veth: only that one)
#   run.sh bench                       round trips, latency, throughput, matching and CPU of simdeck and of rclpy (needs go)
#
# Builds the ROS 2 environment on first use (setup.sh). Where it cannot be had, this says why and, outside CI, succeeds.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

cannot() {
  if [ -n "${CI:-}" ]; then echo "interop: $*" >&2; exit 1; fi
  echo "interop: NOT RUN: $*" >&2
  exit 0
}

[ "$(uname -s)" = Linux ] || cannot "network namespaces need Linux"
for tool in ip unshare nsenter setpriv; do
  command -v $tool >/dev/null || cannot "$tool is missing (iproute2, util-linux)"
done
"$here/netns.sh" single true 2>/dev/null || cannot "no permission to make a network namespace: run as root, or allow user namespaces"
status=0
env=$("$here/setup.sh" ${SIMDECK_DEFINITIONS:+"$SIMDECK_DEFINITIONS"}) || status=$?
case $status in
0) ;;
3) cannot "a tool to build ROS 2 with is missing, see above" ;;
*) exit $status ;;
esac
export SIMDECK=${SIMDECK:-$root/simdeck} SIMDECK_CORPUS=${SIMDECK_CORPUS:-$root/../shared/corpus/dev}
[ -x "$SIMDECK" ] || { echo "interop: no $SIMDECK: make build" >&2; exit 1; }
set +u
. "$env/setup.bash" 2.x
set -u

what=$1
shift
cd "$here"
case $what in
test)
  for layout in ${LAYOUT:-single veth}; do
    echo "interop: layout $layout"
    ./netns.sh "$layout" python -m pytest -p no:cacheprovider --override-ini=junit_suite_name="$layout" "$@"
  done
  ;;
bench)
  ./netns.sh single python roundtrip.py
  peer=$(mktemp)
  trap 'rm -f "$peer"' EXIT
  (cd "$root" && "${GO:-go}" test -c -o "$peer" ./ros/transport)
  SIMDECK_PEER_BINARY=$peer ./netns.sh single python throughput.py
  ;;
*)
  echo "interop: no $what: test or bench" >&2
  exit 2
  ;;
esac
