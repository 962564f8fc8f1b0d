#!/usr/bin/env bash
# Idle load: memory, processor time and discovery traffic per stopped simdeck, by the number of instances on one network.
# Run it by netns.sh single.
#
#   idle_load.sh SIMDECK [N…]      (2 10 20 40 100)
#
# pss is memory with shared pages divided among their users, own is private memory. cpu is a share of one core over WINDOW seconds
# after discovery. Bytes are those received by the first instance: since its start, and in the window.
set -euo pipefail
simdeck=$1; shift
[ $# -gt 0 ] || set -- 2 10 20 40 100
WINDOW=${WINDOW:-20} WORLD=${WORLD:-bench}
pids=() folder=$(mktemp -d)
trap 'kill "${pids[@]}" 2>/dev/null; wait; rm -rf "$folder"' EXIT
ticks=$(getconf CLK_TCK)

# figure NAME: one of the first instance's
figure() { curl -sf http://127.0.0.1:9100/metrics | awk -v name="$1" '$1 == name {printf "%d\n", $2}'; }
cpu() { local t=0 p s; for p in "${pids[@]}"; do s=$(<"/proc/$p/stat"); s=${s##*) }; set -- $s; t=$((t + ${12} + ${13})); done; echo $t; }

printf '%9s %10s %10s %12s %14s %16s %18s\n' instances 'pss MB' 'own MB' 'cpu %' 'found in s' 'kB in, so far' 'B/s in, at rest'
for n; do
  began=$(date +%s%N)
  while ((${#pids[@]} < n)); do
    extra=(); ((${#pids[@]})) || extra=(--metrics 9100)
    "$simdeck" run "$WORLD" --stopped --namespace "/i${#pids[@]}" --ros-args -r /clock:="/i${#pids[@]}/clock" -- "${extra[@]}" >>"$folder/log" 2>&1 &
    pids+=($!)
  done
  for ((tries = 0; ; tries++)); do
    peers=$(figure simdeck_ros_peers || true)
    [ "${peers:-0}" -lt $((n - 1)) ] || break
    ((tries < 600)) || { echo "idle_load: the first of $n sees ${peers:-none}" >&2; exit 1; }
    sleep 0.1
  done
  took=$((($(date +%s%N) - began) / 1000000))
  sleep "${SETTLE:-10}" # for all to have found all
  before=$(cpu) in=$(figure 'simdeck_ros_bytes_total{direction="in"}') from=$(date +%s%N)
  sleep "$WINDOW"
  spent=$(($(cpu) - before)) ms=$((($(date +%s%N) - from) / 1000000))
  after=$(figure 'simdeck_ros_bytes_total{direction="in"}')
  for p in "${pids[@]}"; do cat "/proc/$p/smaps_rollup"; done | awk -v n="$n" -v spent="$spent" -v ticks="$ticks" -v ms="$ms" -v took="$took" -v in1="$in" -v in2="$after" '
    $1 == "Pss:" {pss += $2} $1 == "Private_Clean:" || $1 == "Private_Dirty:" {own += $2}
    END {printf "%9d %10.1f %10.1f %12.2f %14.1f %16.0f %18.0f\n", n, pss/n/1024, own/n/1024, 100*spent/ticks/(ms/1000)/n, took/1000, in1/1000, (in2-in1)/(ms/1000)}'
done
