#!/bin/sh
# Installs simdeck {{.Version}} for Linux and macOS, without root where the folder allows it:
#
#   curl -fsSL {{.Pages}}/install.sh | sh
#   sh install.sh [--prefix DIR] [--version X.Y.Z] [--url URL] [--signers FILE] [--uninstall]
#
# It downloads into a scratch folder, verifies the archive by SHA256SUMS, and SHA256SUMS by its signature where the
# release is signed. Only then does it write elsewhere; if anything fails, nothing is left.
set -eu

# The key that signed this release, as a line of ssh-keygen's ALLOWED SIGNERS; empty: the release is not signed.
signers_line='{{.Signers}}'

usage="usage: install.sh [--prefix DIR] [--version X.Y.Z] [--url URL] [--signers FILE] [--uninstall]
  --prefix DIR    folder that gets bin and share (default: \$HOME/.local)
  --version X.Y.Z another release than {{.Version}}
  --url URL       folder of the release's files; {version} stands for the version
  --signers FILE  allowed_signers (ssh-keygen) to trust, obtained apart from the release
  --uninstall     remove what an installation put below the prefix"

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# fetch URL FILE: a download; https stays https over redirects with curl
fetch() {
  case $1 in
  file://*)
    cp "${1#file://}" "$2" 2>/dev/null
    return
    ;;
  https://*) protocols='=https' ;;
  http://*) protocols='=http,https' ;;
  *) fail "$1: want https://, http:// or file://" ;;
  esac
  if have curl; then
    curl -fsSL --proto "$protocols" --retry 2 -o "$2" "$1"
  elif have wget; then
    wget -q -O "$2" "$1"
  else
    fail "curl and wget are not installed: install one, or use --url file://FOLDER"
  fi
}

digest() {
  if have sha256sum; then
    sha256sum "$1"
  elif have shasum; then
    shasum -a 256 "$1"
  elif have openssl; then
    openssl dgst -sha256 -r "$1"
  else
    fail "sha256sum, shasum and openssl are not installed: install one"
  fi | sed 's/[ *].*//'
}

# platform names this system as the archives do.
platform() {
  case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) fail "$(uname -s): unsupported system, want Linux or macOS; for Windows use simdeck.json with Scoop, or the zip" ;;
  esac
  case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  armv7* | armv8l) arch=armv7 ;;
  *) fail "$(uname -m): unsupported processor, want x86_64, arm64 or armv7" ;;
  esac
  if [ $system = darwin ] && [ $arch = amd64 ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" = 1 ]; then
    arch=arm64 # a shell under Rosetta
  fi
  if [ $system-$arch = darwin-armv7 ]; then fail "armv7: unsupported processor on macOS, want x86_64 or arm64"; fi
  say "${system}_$arch"
}

# signed SUMS SIGNATURE: whether the sums are of whom the signers name
signed() {
  have ssh-keygen || fail "ssh-keygen is not installed, and this release is signed: install openssh-client"
  ssh-keygen -Y verify -f "$scratch/allowed_signers" -I {{.Signer}} -n {{.Namespace}} -s "$2" <"$1" >/dev/null 2>&1
}

# place FROM TO MODE: a file below the prefix, replaced at once
place() {
  mkdir -p "$(dirname "$prefix/$2")"
  cp "$1" "$prefix/$2.part"
  chmod "$3" "$prefix/$2.part"
  mv -f "$prefix/$2.part" "$prefix/$2"
}

uninstall() {
  [ -e "$prefix/bin/simdeck" ] || fail "$prefix/bin/simdeck: no such file: use the --prefix of the installation"
  rm -f "$prefix/bin/simdeck" "$prefix"/share/man/man1/simdeck.1 "$prefix"/share/man/man1/simdeck-*.1 \
    "$prefix/share/bash-completion/completions/simdeck" "$prefix/share/zsh/site-functions/_simdeck" \
    "$prefix/share/fish/vendor_completions.d/simdeck.fish"
  rm -rf "$prefix/share/doc/simdeck"
  say "Removed simdeck from $prefix."
}

main() {
  version='{{.Version}}' url='{{.Downloads}}' prefix=${SIMDECK_PREFIX:-${HOME:-}/.local} signers=
  while [ $# -gt 0 ]; do
    case $1 in
    --prefix | --version | --url | --signers)
      [ $# -ge 2 ] && [ -n "$2" ] || fail "$1: want a value"
      eval "${1#--}=\$2"
      shift 2
      ;;
    --uninstall)
      uninstalling=1
      shift
      ;;
    --help | -h)
      say "$usage"
      exit 0
      ;;
    *) fail "$1: no such option
$usage" ;;
    esac
  done
  case $prefix in
  /.local) fail "HOME is not set: want --prefix DIR" ;;
  /*) ;;
  *) prefix=$(pwd)/$prefix ;;
  esac
  if [ -n "${uninstalling:-}" ]; then
    uninstall
    return
  fi
  platform=$(platform)
  folder=simdeck_${version}_$platform
  url=$(printf '%s' "$url" | sed "s|{version}|$version|g")
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 1' HUP INT TERM

  fetch "$url/SHA256SUMS" "$scratch/SHA256SUMS" || fail "$url/SHA256SUMS: download failed: is $version a release?"
  if [ -n "$signers" ]; then
    cp "$signers" "$scratch/allowed_signers" || fail "$signers: cannot read it"
  elif [ -n "$signers_line" ]; then
    printf '%s\n' "$signers_line" >"$scratch/allowed_signers"
  fi
  if [ -e "$scratch/allowed_signers" ]; then
    fetch "$url/SHA256SUMS.sig" "$scratch/SHA256SUMS.sig" || fail "$url/SHA256SUMS.sig: download failed: nothing was installed"
    signed "$scratch/SHA256SUMS" "$scratch/SHA256SUMS.sig" ||
      fail "$url/SHA256SUMS: signature verification failed: nothing was installed"
    verified="signature and checksum"
  else
    verified="checksum (the release is not signed)"
  fi
  want=$(awk -v name="$folder.tar.gz" '$2 == name { print $1 }' "$scratch/SHA256SUMS")
  [ ${#want} = 64 ] || fail "SHA256SUMS has no line for $folder.tar.gz: nothing was installed"
  fetch "$url/$folder.tar.gz" "$scratch/archive" || fail "$url/$folder.tar.gz: download failed: nothing was installed"
  is=$(digest "$scratch/archive")
  [ "$is" = "$want" ] || fail "$url/$folder.tar.gz: SHA-256 is $is, want $want: nothing was installed"

  tar -xzf "$scratch/archive" -C "$scratch"
  from=$scratch/$folder
  "$from/simdeck" version >/dev/null ||
    fail "simdeck does not run from $scratch: nothing was installed; if that folder forbids programs, set TMPDIR to another"
  mkdir -p "$prefix/bin" 2>/dev/null && [ -w "$prefix/bin" ] ||
    fail "$prefix/bin: cannot write there: use --prefix DIR, or run as root"
  for page in "$from"/man/*.1; do place "$page" "share/man/man1/${page##*/}" 644; done
  place "$from/completions/simdeck.bash" share/bash-completion/completions/simdeck 644
  place "$from/completions/_simdeck" share/zsh/site-functions/_simdeck 644
  place "$from/completions/simdeck.fish" share/fish/vendor_completions.d/simdeck.fish 644
  for text in LICENSE README.md THIRD-PARTY-LICENSES; do place "$from/$text" "share/doc/simdeck/$text" 644; done
  place "$from/simdeck" bin/simdeck 755
  say "Installed $("$prefix/bin/simdeck" version) as $prefix/bin/simdeck; verified: $verified."
  case :$PATH: in
  *":$prefix/bin:"*) say "Start it: simdeck" ;;
  *) say "$prefix/bin is not in PATH. Start it: $prefix/bin/simdeck" ;;
  esac
}

main "$@" # last, so that half a script does nothing
