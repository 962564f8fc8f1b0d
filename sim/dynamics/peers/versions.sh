#!/usr/bin/env bash
# Prints the versions of the engines that build.sh has built into a folder, as lines "NAME: VERSION".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
engines=$1
debian() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo unknown; }
tell() { [ ! -x "$engines/$1" ] || echo "$1: $2"; }
tell rapier "$(sed -n 's/^rapier3d = "=\(.*\)"$/\1/p' "$here/rapier/Cargo.toml")"
tell bullet "$(debian libbullet-dev)"
tell ode "$(debian libode-dev)"
tell mujoco "$(sed -n 's/^mujoco=//p' "$here/build.sh")"
tell embree "$(debian libembree-dev)"
