# shellcheck shell=sh
# Where the Swift toolchain is looked for: PATH first, then where people unpack it. Sourced by the other scripts and
# by the Makefile, so that all of them find the same one.

export MINIMUM_SWIFT=6.2

PATH="$PATH:/opt/swift/usr/bin:/usr/local/swift/usr/bin:${SWIFTLY_BIN_DIR:-${HOME:-/root}/.local/share/swiftly/bin}"
export PATH
