# Each target does its own set-up, once. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help test check format dist demo experiments bench bench-flink soak clean setup

PYTHON ?= python3
PY := .venv/bin/python
PY_CODE := python tests .ci jvm/bench/src/main/python
PY_CONFIG := python/pyproject.toml

VERSION := $(shell sed -n 's/.*val shedjoin = "\(.*\)"/\1/p' project/Versions.scala)
SPARK := $(shell sed -n 's/.*val spark = "\([0-9]*\.[0-9]*\).*/\1/p' project/Versions.scala)
JAR := dist/shedjoin_spark-$(SPARK)_2.13-$(VERSION).jar
JVM_SOURCES := $(shell find jvm/*/src/main -type f) build.sbt $(wildcard project/*.*)

help: ## This list.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 10

test: .venv/ready bundled ## All tests: JVM, Spark's own join suites on our operator, Python. Up to 40 minutes.
	@.ci/test.sh test

soak: .venv/ready bundled ## The long campaigns, random tests on new seeds, and more of Spark's own suites.
	@.ci/test.sh soak

check: .venv/ready ## Format, lint and types, of Scala and Python.
	@grep -q '^version = "$(VERSION)"' $(PY_CONFIG) || { echo "$(PY_CONFIG) is not at $(VERSION), as project/Versions.scala is"; false; }
	@.ci/sbt scalafmtSbtCheck scalafmtCheckAll "scalafixAll --check"
	@$(PY) -m ruff check --config $(PY_CONFIG) $(PY_CODE)
	@$(PY) -m ruff format --check --config $(PY_CONFIG) $(PY_CODE)
	@$(PY) -m mypy --config-file $(PY_CONFIG) python/shedjoin tests .ci/report.py

format: .venv/ready ## Puts right what `make check` can put right.
	@.ci/sbt scalafixAll scalafmtAll scalafmtSbt
	@$(PY) -m ruff check --fix --config $(PY_CONFIG) $(PY_CODE)
	@$(PY) -m ruff format --config $(PY_CONFIG) $(PY_CODE)

dist: .venv/ready bundled ## The jar and the Python wheel that carries it, in dist/.
	@rm -rf python/build python/*.egg-info dist/*.whl
	@$(PY) -m build --no-isolation --wheel --outdir dist python
	@ls -l dist

demo: .venv/ready bundled ## A streaming join, by Spark and by shedjoin, compared. A minute. PLOT=demo.png draws it.
	@PYTHONPATH=python $(PY) -m shedjoin demo $(if $(PLOT),--plot $(PLOT))

EXPERIMENTS := $(if $(ONLY),--only $(ONLY)) $(if $(QUICK),--quick --out target/experiments,--out docs)

experiments: .venv/ready bundled ## The papers' figures, redrawn into docs/. Half an hour; ONLY=paper3-fig8; QUICK=1: into target/.
	@PYTHONPATH=python $(PY) -m shedjoin experiments $(EXPERIMENTS)

JAVA := $(if $(JAVA_HOME),$(JAVA_HOME)/bin/)java
BENCH_ARGS := $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY)) $(if $(CONTENDERS),--contenders $(CONTENDERS)) \
  $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(ROWS),--rows $(ROWS)) $(if $(MINUTES),--minutes $(MINUTES))

# HEAP=8g gives it that heap, of which Spark's join needs much; BENCH_OPTS are further options of that JVM. The heap must not
# shrink: to grow again costs the next run seconds, and what the machine takes back would count as having been held.
BENCH_HEAP := $(if $(HEAP),-Xms$(HEAP) -Xmx$(HEAP),-XX:InitialRAMPercentage=35 -XX:MaxRAMPercentage=35) \
  -XX:MaxHeapFreeRatio=100

bench: jvm/bench/target/java.args ## Spark's join, shedjoin and no join, compared. An hour; QUICK=1: minutes; ONLY=base ROUNDS=3; ONLY=partition: no Spark.
	@$(JAVA) $(BENCH_HEAP) -XX:+AlwaysPreTouch $(BENCH_OPTS) @$< shedjoin.bench.stream.StreamBench . $(BENCH_ARGS) </dev/null

FLINK_ROUNDS := $(if $(ROUNDS),$(ROUNDS),3)

bench-flink: jvm/bench/target/java.args .tools/flink/ready ## shedjoin and Flink's interval join on the same CSV files.
	@$(JAVA) $(BENCH_HEAP) $(BENCH_OPTS) @$< shedjoin.bench.stream.StreamBench . --only files --contenders shedjoin \
	  --rounds $(FLINK_ROUNDS) </dev/null
	@.tools/flink/bin/python jvm/bench/src/main/python/flink_join.py target/bench docs/benchmarks-flink.md $(FLINK_ROUNDS)

# Flink needs half a gigabyte, and other versions of what pyspark needs.
.tools/flink/ready:
	@echo "shedjoin: installing PyFlink 2.3.0"
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check apache-flink==2.3.0 || \
	  { echo "PyFlink 2.3.0 could not be installed for $$($(PYTHON) --version); it takes Python 3.9 to 3.12"; false; }
	@touch $@

jvm/bench/target/java.args: $(JVM_SOURCES) | .tools/ready
	@echo "shedjoin: building the benchmarks"
	@.ci/sbt bench/javaArguments

setup: .venv/ready bundled ## Only the set-up: tools, virtual environment, jar.

clean: ## Removes what was built; the tools and the virtual environment stay.
	@rm -rf dist target jvm/*/target project/target project/project python/build python/*.egg-info python/shedjoin/jars

# The jar where the Python package looks for it.
.PHONY: bundled
bundled: python/shedjoin/jars/$(notdir $(JAR))

python/shedjoin/jars/%: dist/%
	@mkdir -p $(@D)
	@rm -f $(@D)/*.jar
	@cp $< $@

$(JAR): $(filter-out jvm/bench/%,$(JVM_SOURCES)) | .tools/ready
	@echo "shedjoin: building $@"
	@.ci/sbt spark/assembly
	@touch $@

.venv/ready: python/requirements-dev.txt | .tools/ready
	@echo "shedjoin: making the virtual environment .venv (a few minutes, once)"
	@[ -x $(PY) ] || $(PYTHON) -m venv .venv
	@$(PY) -m pip install --progress-bar off -r python/requirements-dev.txt
	@touch $@

.tools/ready: .ci/tools.sh project/build.properties
	@.ci/tools.sh $(PYTHON)
	@mkdir -p $(@D) && touch $@
