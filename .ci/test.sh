#!/usr/bin/env bash
# Runs the tests of the JVM, then those of Python, whatever the first gave; ends with the slowest and the totals.
# Usage: .ci/test.sh test|soak
set -uo pipefail
cd "$(dirname "$0")/.."

what="${1:-test}"
reports=target/pytest
rm -rf jvm/*/target/test-reports "$reports"
mkdir -p "$reports"

if [ "$what" = soak ]; then
  # Whatever draws its histories runs with new seeds.
  random="$(grep -rl 'with Seeded' jvm/*/src/test --include='*Suite.scala' | sed 's|.*/\(.*\)\.scala|*.\1|')"
  .ci/sbt -Dshedjoin.soak=true "testOnly *Soak ${random//$'\n'/ }"
else
  .ci/sbt test
fi
jvm=$?

# The JVMs that PySpark starts live too short for the second compiler.
export SPARK_SUBMIT_OPTS="-XX:TieredStopAtLevel=1 ${SPARK_SUBMIT_OPTS:-}"
marker="not soak"
if [ "$what" = soak ]; then
  marker="soak or seeds"
  export SHEDJOIN_SEEDS_FROM=$((1000000 + RANDOM * 32768 + RANDOM))
  echo "Python's tests: new seeds, from $SHEDJOIN_SEEDS_FROM on"
fi
.venv/bin/python -m pytest -c python/pyproject.toml --rootdir . -m "$marker" \
  --numprocesses 2 --dist loadfile --junitxml "$reports/python.xml" python tests </dev/null
python=$?
# Nothing collected: fine while no test has that marker.
[ "$python" = 5 ] && python=0

.venv/bin/python .ci/report.py "$jvm" "$python" "$reports" jvm/*/target/test-reports
