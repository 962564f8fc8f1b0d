#!/usr/bin/env bash
# Lets a real ROS 2 drive ./simdeck: on one host and between two, or measures the two against each other.
#
#   run.sh test [PYTEST ARGUMENTS…]    the whole suite on one host and between two, and on a bad cable what must hold there, too
#                                      (LAYOUT=single, veth or bad: only there; CLIENTS=jazzy, kilted, peers or zenoh: only these;
#                                      JOBS=2: so many suites at once)
#   run.sh shapes [shapes.py ARGUMENTS…]   the public interoperability tests of DDS between simdeck's wire and others' (needs go); in CI
#                                      a third of them each time
#   run.sh bench                       round trips, latency, throughput, matching and CPU of simdeck, rclpy and RustDDS (needs go),
#                                      and what a hundred and a thousand robots, and 2 to 40 simulators on four hosts, cost
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
for tool in ip unshare nsenter setpriv tmux; do
  command -v $tool >/dev/null || cannot "$tool is missing (iproute2, util-linux, tmux)"
done
"$here/netns.sh" single true 2>/dev/null || cannot "no permission to make a network namespace: run as root, or allow user namespaces"

what=${1:-}
[ $# -eq 0 ] || shift
case $what in
test) clients=${CLIENTS:-$([ $# -eq 0 ] && echo jazzy kilted peers zenoh || echo jazzy)} ;;
bench) clients="jazzy rust-fast" ;;
shapes) clients=cyclone ;;
*) echo "interop: no $what: test, shapes or bench" >&2; exit 2 ;;
esac

# What the clients need is built side by side; each build says where it is.
needs=$(for client in $clients; do case $client in peers) echo jazzy kilted cyclone rust ;; *) echo "$client" ;; esac; done | xargs -n1 | sort -u)
homes=$(mktemp -d)
trap 'rm -rf "$homes"' EXIT
declare -A builds=() home=()
for need in $needs; do
  case $need in
  jazzy | kilted) DISTRO=$need "$here/setup.sh" ${SIMDECK_DEFINITIONS:+"$SIMDECK_DEFINITIONS"} >"$homes/$need" & ;;
  cyclone | zenoh | rust | rust-fast) "$here/peers.sh" "$need" >"$homes/$need" & ;;
  *) echo "interop: no client $need: jazzy, kilted, peers or zenoh" >&2; exit 2 ;;
  esac
  builds[$need]=$!
done
for need in $needs; do
  status=0
  wait "${builds[$need]}" || status=$?
  case $status in
  0) home[$need]=$(<"$homes/$need") ;;
  3) [ -z "${CI:-}" ] && [[ $need == rust* ]] || cannot "a tool to build $need with is missing, see above" ;; # the rest goes on without Rust
  *) exit $status ;;
  esac
done
export SIMDECK=${SIMDECK:-$root/simdeck} SIMDECK_CORPUS=${SIMDECK_CORPUS:-$root/../shared/corpus/dev}
[ "$what" = shapes ] || [ -x "$SIMDECK" ] || { echo "interop: no $SIMDECK: make build" >&2; exit 1; }
cd "$here"

# in_ros DISTRIBUTION LAYOUT COMMAND…: with that ROS 2, in a network of its own
in_ros() {
  (
    set +u
    . "${home[$1]}/setup.bash" 2.x
    set -u
    ./netns.sh "${@:2}"
  )
}

# What is run on a bad cable: more would only take long, because much waits for an answer again and again. (And large requests would never
# arrive: Fast DDS sends them in datagrams of 64 kB, each of 44 frames, of which one is always lost.)
declare -A bad=([jazzy]="test_bad_link.py test_story.py test_lines.py" [peers]="peers/test_together.py -k small")

# Between two hosts: cases that depend on the cable or on finding each other over it. With Kilted, whose Fast DDS and hashes of types are
# others: cases of every kind of type and of the graph. All others are run with Jazzy on one host.
cable="test_story.py test_attach.py test_cameras.py test_discovery.py test_graph.py test_liar.py test_lockstep.py test_others.py test_qos.py
  test_readers.py test_record.py test_sensors.py test_time.py"
declare -A part=([jazzy-veth]=$cable [kilted-veth]="test_story.py test_discovery.py test_qos.py"
  [kilted-single]="test_story.py test_actions.py test_controller_manager.py test_graph.py test_lines.py test_others.py test_parameters.py
  test_qos.py test_spawning.py test_vehicle.py test_worker.py")

# What hangs, hangs in the middleware of others where no time-out of a test reaches: it is ended, with what its threads were at.
patience=(timeout --signal=ABRT --kill-after=60 1500)

# suite CLIENT LAYOUT PYTEST ARGUMENTS…; with RETRY=1 what fails is run again alone, at most twice, and named as flaky
suite() {
  local client=$1 layout=$2 tests=() cache=$homes/pytest-$1-$2 status=0 again failed
  shift 2
  echo "interop: $client, layout $layout"
  if [ $# = 0 ]; then
    case $layout in
    bad) read -rd '' -a tests <<<"${bad[$client]}" || true ;;
    *) read -rd '' -a tests <<<"${part[$client-$layout]:-}" || true ;;
    esac
  fi
  pytest_of "$client" "$layout" "${tests[@]}" "$@" || status=$?
  for again in 1 2; do
    [ $status = 1 ] && [ -n "${RETRY:-}" ] || break
    failed=$(sed -n 's/^  "\(.*\)": true,\?$/\1/p' "$cache/v/cache/lastfailed")
    status=0
    pytest_of "$client" "$layout" "${tests[@]}" "$@" --last-failed || status=$?
    [ $status != 0 ] || sed "s/^/flaky: $client $layout: /" <<<"$failed"
  done
  return $status
}

# pytest_of CLIENT LAYOUT PYTEST ARGUMENTS…
pytest_of() {
  local client=$1 layout=$2 skipped=()
  local pytest=(-X faulthandler -m pytest -o cache_dir="$homes/pytest-$1-$2" --override-ini=junit_suite_name="$1-$2")
  shift 2
  case $client in
  jazzy | kilted) in_ros "$client" "$layout" "${patience[@]}" python "${pytest[@]}" "$@" ;;
  zenoh) (cd zenoh && ../netns.sh "$layout" "${patience[@]}" "${home[zenoh]}" "${pytest[@]}" --noconftest "$@") ;;
  peers)
    if [ -z "${home[rust]:-}" ]; then
      skipped=(--ignore=peers/test_rust.py --ignore=peers/test_together.py)
      echo "interop: NOT RUN for want of Rust: ${skipped[*]#*=}" >&2
      [ "$layout" != bad ] || return 0
    fi
    [[ " $*" == *" peers"* ]] || set -- peers "$@"
    SIMDECK_ROS_JAZZY=${home[jazzy]} SIMDECK_ROS_KILTED=${home[kilted]} SIMDECK_RUST_PEER=${home[rust]:-} \
      ./netns.sh "$layout" "${patience[@]}" "${home[cyclone]}" "${pytest[@]}" "${skipped[@]}" "$@" ;;
  esac
}

# together: runs suites, "client layout" on stdin, JOBS at once: they wait more than they compute. Each one's words come whole, at its end.
together() {
  local suites=() running=() status=0 next=0 pid ended
  mapfile -t suites
  trap 'kill "${running[@]}" 2>/dev/null || true' INT TERM
  while [ $next -lt ${#suites[@]} ] || [ ${#running[@]} -gt 0 ]; do
    while [ $next -lt ${#suites[@]} ] && [ ${#running[@]} -lt "${JOBS:-2}" ]; do
      # shellcheck disable=SC2086 # two words
      suite ${suites[next]} "$@" >"$homes/said.$next" 2>&1 </dev/null &
      running[next]=$!
      next=$((next + 1))
    done
    ended=0
    wait -n -p pid "${running[@]}" || ended=$?
    for k in "${!running[@]}"; do
      [ "${running[k]}" = "$pid" ] || continue
      cat "$homes/said.$k"
      unset "running[k]"
      [ $ended = 0 ] || { echo "interop: ${suites[k]}: FAILED ($ended)"; status=1; }
    done
  done
  return $status
}

case $what in
test)
  for layout in ${LAYOUT:-veth single bad}; do # the longest first
    for client in $clients; do
      [ "$layout" != bad ] || [ $# -gt 0 ] || [ -n "${bad[$client]:-}" ] || continue
      [ "$client" != zenoh ] || [ "$layout" = single ] || continue # its router is on the same host
      echo "$client $layout"
    done
  done >"$homes/suites"
  [ -s "$homes/suites" ] || { echo "interop: $clients has no tests for layout $LAYOUT" >&2; exit 2; }
  if [ "$(wc -l <"$homes/suites")" = 1 ]; then
    read -r client layout <"$homes/suites"
    suite "$client" "$layout" "$@"
  else
    together "$@" <"$homes/suites"
  fi
  ;;
shapes)
  go build -o "$homes/shape" ./shape
  [ -z "${CI:-}" ] || set -- --part "$(($(git rev-list --count HEAD) % 3))/3" "$@"
  timeout --kill-after=10 900 python3 shapes.py "simdeck=$homes/shape" "cyclone=${home[cyclone]} $here/peers/shape.py" --page "$root/docs/reference/interop.md" "$@"
  ;;
bench)
  in_ros jazzy single python roundtrip.py
  peer=$homes/transport.test
  (cd "$root" && "${GO:-go}" test -c -o "$peer" ./ros/transport)
  export SIMDECK_PEER_BINARY=$peer SIMDECK_RUST_PEER=${home[rust-fast]:-}
  for transports in UDPv4 DEFAULT; do
    echo "Fast DDS with FASTDDS_BUILTIN_TRANSPORTS=$transports"
    FASTDDS_BUILTIN_TRANSPORTS=$transports in_ros jazzy single python throughput.py
  done
  FASTDDS_BUILTIN_TRANSPORTS=UDPv4 in_ros jazzy single python scale.py
  in_ros jazzy single python fleet.py
  ;;
esac
