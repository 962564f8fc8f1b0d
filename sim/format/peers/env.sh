#!/usr/bin/env bash
# Makes a Python environment with the tools that load.py and make judges compare with, from PyPI's wheels. Prints its interpreter. It is kept in
# ~/.cache/simdeck/loaders-KEY (XDG_CACHE_HOME is honoured); KEY is a hash over this file.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
key=$(sha256sum <"$here/env.sh" | cut -c1-16)
dest=${XDG_CACHE_HOME:-$HOME/.cache}/simdeck/loaders-$key
if [ ! -e "$dest/complete" ]; then
  mkdir -p "$(dirname "$dest")"
  python3 -m venv "$dest" >&2
  "$dest/bin/pip" install -q --disable-pip-version-check numpy==2.* scipy trimesh==5.2.0 rtree lxml yourdfpy==0.0.60 mujoco==4.0.0 coacd==1.0.14 vhacdx==0.1.1 pin==4.1.0 >&2
  touch "$dest/complete"
fi
echo "$dest/bin/python"
