#!/usr/bin/env bash
# Checks the tools that the build needs, and names each missing one in a line; fetches sbt if it is not on the PATH.
# Usage: .ci/tools.sh [python]
set -euo pipefail
cd "$(dirname "$0")/.."

missing=0
lacks() {
  echo "shedjoin: $1" >&2
  missing=1
}

java_major() { "$1" -version 2>&1 | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -1; }

java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
if ! command -v "$java" >/dev/null; then
  lacks "no java found: install a JDK, 17 or later, and put it on the PATH (or set JAVA_HOME)"
elif [ "$(java_major "$java")" -lt 17 ]; then
  lacks "java is version $(java_major "$java"): a JDK of 17 or later is needed"
elif ! command -v "${java}c" >/dev/null; then
  lacks "java has no javac: install a JDK, 17 or later, not just a JRE"
fi

python="${1:-python3}"
if ! command -v "$python" >/dev/null; then
  lacks "no $python found: install Python 3.10 or later, or say make PYTHON=/path/to/python"
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
  lacks "$("$python" --version) is too old: Python 3.10 or later is needed, say make PYTHON=/path/to/python"
elif ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
  lacks "$python can not make a virtual environment: install its venv package (python3-venv on Debian)"
fi

if ! command -v sbt >/dev/null && ! command -v mvn >/dev/null; then
  lacks "neither sbt nor mvn found: install Maven (it fetches sbt), or sbt"
fi
[ "$missing" = 0 ] || exit 1

version="$(sed -n 's/^sbt.version=//p' project/build.properties)"
if ! command -v sbt >/dev/null && ! [ -f ".tools/sbt-launch-$version.jar" ]; then
  echo "shedjoin: fetching sbt $version through Maven into .tools"
  mkdir -p .tools
  mvn -B -q dependency:copy -Dartifact="org.scala-sbt:sbt-launch:$version" -DoutputDirectory="$PWD/.tools" </dev/null
fi
