#!/usr/bin/env bash
# Runs once, as root, when Gradescope builds the image: installs noughts, which needs Python @python@.
set -euo pipefail
source=${AUTOGRADER_ROOT:-/autograder}/source

find_python() {
  for python in ${AUTOGRADER_PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info@limit@)' 2>/dev/null; then
      echo "$python"
      return
    fi
  done
}

python=$(find_python)
if [ -z "$python" ]; then
  apt-get update
  apt-get install -y python@version@ python@version@-venv || apt-get install -y python3 python3-venv
  python=$(find_python)
fi
[ -n "$python" ] || { echo "noughts needs Python @python@; choose another base image" >&2; exit 1; }
"$python" -m venv "$source/venv"
"$source/venv/bin/python" -m pip install --quiet @arguments@
"$source/venv/bin/python" -m noughts --version
