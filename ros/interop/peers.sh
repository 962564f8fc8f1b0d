#!/usr/bin/env bash
# Builds a peer that has nothing of ROS, and prints what runs it. Nothing is installed outside the user's cache folder.
#
#   peers.sh cyclone    a Python with Cyclone DDS and pytest, for the tests in peers/
#   peers.sh zenoh      a Python with eclipse-zenoh and pytest, for the tests in zenoh/
#   peers.sh rust       the client in rust/, on ros2-client and RustDDS; for measuring, peers.sh rust-fast is optimised
#
# They are kept in ~/.cache/simdeck/PEER-KEY (XDG_CACHE_HOME is honoured). KEY is a hash over everything that the result
# depends on. Exit code 3: a tool is missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/simdeck
python=${PYTHON:-python3.11}
export PATH=$PATH:$HOME/.cargo/bin # where rustup puts it, which not every shell has

say() { echo "peers: $*" >&2; }
die() { say "$2"; exit "$1"; }

# kept PEER KEY BUILD…: runs BUILD once for KEY, with $dest as the folder to fill
kept() {
  dest=$cache/$1-$(cut -c1-16 <<<"$2")
  mkdir -p "$cache"
  exec 9>"$dest.lock"
  flock -n 9 || { say "waiting for another build of $dest"; flock 9; }
  [ ! -e "$dest/complete" ] || return 0
  rm -rf "$dest"
  mkdir -p "$dest"
  "${@:3}"
  touch "$dest/complete"
  say "ready: $dest"
}

build_wheels() { # FOLDER NAME
  say "installing $2 from a wheel into $dest"
  "$python" -m venv "$dest/venv" || die 3 "$python cannot make a venv: install python3.11-venv"
  "$dest/venv/bin/pip" install -q --disable-pip-version-check -r "$here/$1/requirements.txt" >&2
}

wheels() { # FOLDER: a key of what it requires
  { cat "$here/$1/requirements.txt"; "$python" -c 'import sys; print(sys.version, sys.executable)'; } | sha256sum
}

build_rust() { # PROFILE FOLDER
  say "building the client on RustDDS into $dest"
  CARGO_TARGET_DIR=$dest/target cargo build -q --locked --profile "$1" --manifest-path "$here/rust/Cargo.toml" >&2
  mv "$dest/target/$2/peer" "$dest/peer"
  rm -rf "$dest/target"
}

command -v flock >/dev/null || die 3 "flock is missing (util-linux)"
case $1 in
cyclone)
  command -v "$python" >/dev/null || die 3 "$python is missing; set PYTHON"
  kept cyclone "$(wheels peers)" build_wheels peers "Cyclone DDS"
  echo "$dest/venv/bin/python"
  ;;
rust | rust-fast)
  command -v cargo >/dev/null || die 3 "cargo is missing: install Rust 1.88 or newer (rustup.rs)"
  version=$(cargo --version | cut -d' ' -f2)
  [ "$(printf '%s\n' 1.88.0 "$version" | sort -V | head -1)" = 1.88.0 ] || die 3 "cargo is $version, but ros2-client needs Rust 1.88 (rustup.rs)"
  profile=(dev debug)
  [ "$1" = rust ] || profile=(release release)
  kept "$1" "$(cd "$here/rust" && { cat Cargo.toml Cargo.lock; find src -type f | LC_ALL=C sort | xargs cat; rustc -Vv; } | sha256sum)" build_rust "${profile[@]}"
  echo "$dest/peer"
  ;;
zenoh)
  command -v "$python" >/dev/null || die 3 "$python is missing; set PYTHON"
  kept zenoh "$(wheels zenoh)" build_wheels zenoh eclipse-zenoh
  echo "$dest/venv/bin/python"
  ;;
*) die 2 "no peer $1: cyclone, zenoh, rust or rust-fast" ;;
esac
