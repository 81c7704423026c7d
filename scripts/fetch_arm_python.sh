#!/usr/bin/env bash
# Fetch a Python for 64-bit Arm and the wheels of a bundle for it, to be run under emulation:
#
#   scripts/fetch_arm_python.sh FOLDER
#   COLDSEEK_TEST_ARM=FOLDER pytest -m slow tests/serverless/test_arm_process.py
#
# Needs Debian's apt-get and dpkg, and a `python` that coldseek is installed for. Nothing is installed, and apt's own
# state stays as it is: packages are only unpacked, to FOLDER/root, and wheels are put in FOLDER/wheels.
set -euo pipefail
mkdir -p "$1"
cd "$1"

mkdir -p apt/lists apt/cache root
: >apt/status # nothing counts as installed, so all that Python needs is fetched
arm() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root -o Debug::NoLocking=1 \
    -o Dir::State="$PWD/apt" -o Dir::State::status="$PWD/apt/status" -o Dir::Cache="$PWD/apt/cache" "$@"
}
arm update
arm install --download-only --yes --no-install-recommends python3-minimal libpython3-stdlib
for package in apt/cache/archives/*.deb; do
  dpkg -x "$package" root
done
rm -r apt

version=$(readlink root/usr/bin/python3)
python -c 'from coldseek.bundle.wheels import pinned_requirements; print(*pinned_requirements(False), sep="\n")' >pinned
python -m pip download --quiet --no-deps --dest wheels --only-binary :all: --implementation cp \
  --platform manylinux2014_aarch64 --python-version "${version#python}" --requirement pinned
