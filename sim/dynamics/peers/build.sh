#!/usr/bin/env bash
# Builds the programs that run our scenes on other engines, from the sources here and the engines that package registries
# serve: Debian's libode-dev, libbullet-dev and libembree-dev, PyPI's mujoco, the crate rapier3d. Prints their folder. They are
# kept in ~/.cache/simdeck/engines-KEY (XDG_CACHE_HOME is honoured); KEY is a hash over everything that is built from.
# An engine that cannot be had is left out, and said.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
mujoco=4.0.0
key=$(cat build.sh ./*.hpp ./*.cpp rapier/Cargo.toml rapier/Cargo.lock rapier/src/*.rs | sha256sum | cut -c1-16)
dest=${XDG_CACHE_HOME:-$HOME/.cache}/simdeck/engines-$key
if [ -e "$dest/complete" ]; then echo "$dest"; exit; fi
mkdir -p "$dest"
missing=0
try() { # name, then how
  local name=$1; shift
  [ -x "$dest/$name" ] && return
  if ! "$@" >"$dest/$name.log" 2>&1; then missing=1; echo "left out: $name ($(tail -1 "$dest/$name.log"))" >&2; fi
}
cc() { g++ -O3 -march=native -std=c++17 "$1.cpp" -o "$dest/$1" "${@:2}"; }
mujoco() {
  [ -d "$dest/venv" ] || python3 -m venv "$dest/venv"
  "$dest/venv/bin/pip" install -q --disable-pip-version-check "mujoco==$mujoco"
  local home; home=$("$dest/venv/bin/python" -c 'import importlib.util as u; print(u.find_spec("mujoco").submodule_search_locations[0])')
  local lib; lib=$(ls "$home"/libmujoco.so.* | head -1)
  local program; for program in mujoco mujoco_model; do cc $program "-I$home/include" "$lib" "-Wl,-rpath,$home"; done
}
rapier() {
  RUSTFLAGS="-C target-cpu=native" CARGO_TARGET_DIR=$dest/target cargo build -q --locked --release --manifest-path rapier/Cargo.toml
  cp "$dest/target/release/simdeck-peer-rapier" "$dest/rapier"
}
bullet=$(pkg-config --cflags --libs bullet 2>/dev/null || true)
try ode cc ode -lode
# shellcheck disable=SC2086
try bullet cc bullet $bullet
try embree cc embree -lembree3
try mujoco mujoco
try rapier rapier
[ $missing = 1 ] || touch "$dest/complete"
echo "$dest"
