# Every target is one line that calls a tool configured in pyproject.toml.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --exclude-newer "$$(date -u -d '7 days ago' +%FT%TZ)"
# Three for two cores, as many tests wait. A module stays on one worker, with what it prepares; tests/conftest.py puts the longest first.
WORKERS := -n 3 --dist loadfile --no-loadscope-reorder
PORTABLE := not browser and not hil and not faults and not bench and not nightly
QUICK := $(PORTABLE) and not slow
# What the tests call, as command:package; the last ones are a library of the browser driver, headers for cc, Debian's own pygame, and the dictionary.
TOOLS := git:git chromium:chromium chromium-headless-shell:chromium-headless-shell systemd-analyze:systemd strace:strace lintian:lintian ip:iproute2 nft:nftables unshare:util-linux mount:mount pkill:procps openssl:openssl \
	cc:gcc readelf:binutils cpio:cpio zstd:zstd pdftotext:poppler-utils mksquashfs:squashfs-tools mke2fs:e2fsprogs qemu-io:qemu-utils mcopy:mtools mkfs.vfat:dosfstools sfdisk:fdisk depmod:kmod \
	hunspell:hunspell libatomic1 libc6-dev python3-pygame hunspell-en-gb
.DEFAULT_GOAL := help
.PHONY: help setup system peers demo rehearsal test test-all fresh fast lowest check fix bench release image image-test soak docs screenshots moving-picture rules-pages wiring-plans hardware-page lock clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

setup: $(VENV)/ready ## the environment: locked requirements, Saloon itself, translations

$(VENV)/ready: requirements/dev.lock pyproject.toml
	@echo "Downloading up to 220 MB of Python packages into $(VENV): about 3 minutes, once."
	$(PYTHON) -m venv $(VENV) || { echo "Python cannot make an environment: apt install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

# The demonstration needs no tools; where they are installed already, it uses their environment.
$(VENV)/demo-ready: requirements/demo.lock requirements/build.lock pyproject.toml
	@echo "Downloading up to 85 MB of Python packages into $(VENV): about 2 minutes, once."
	$(PYTHON) -m venv $(VENV) || { echo "Python cannot make an environment: apt install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/demo.lock -r requirements/build.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

translations: $(VENV)/ready
	@$(BIN)/python tools/translations.py compile

$(VENV)/%-ready: requirements/%.lock $(VENV)/ready
	@echo "Downloading more Python packages: about a minute, once."
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r $<
	touch $@

system: ## what tests need from the system (asks apt, says plainly what is missing)
	@PATH="$$PATH:/usr/sbin:/sbin" sh tools/system-packages.sh $(TOOLS)

peers: $(VENV)/bench-ready ## what the bench measures against: brokers, databases and old file senders
	@sh tools/system-packages.sh mosquitto:mosquitto redis-server:redis-server haproxy:haproxy sz:lrzsz kermit:ckermit strace:strace "qemu-$$(uname -m)-static:qemu-user-static"

rehearsal: setup translations ## tables of real terminals with trouble, to train judges; ARGS="--tables 20 --trouble 20"
	$(BIN)/saloon-station rehearse start $(ARGS)

demo: $(if $(wildcard $(VENV)/ready),setup,$(VENV)/demo-ready) ## a whole hall on this machine; ARGS="--auto --speed 60" plays a tournament by itself
	@$(BIN)/python tools/translations.py compile
	@echo "Starting the station and its tables: about half a minute."
	$(BIN)/saloon-demo $(ARGS)

test: setup translations system peers ## what protects a change: all tests but benches and those of the night; about 5 minutes on two cores
	@echo "Running all tests but benches and those of the night: about 5 minutes on two cores, a quarter of an hour on an old computer."
	$(BIN)/pytest $(WORKERS) --durations=30 -m "not bench and not nightly" $(ARGS)

test-all: setup translations system peers ## every test, with every example; an hour
	$(BIN)/pytest $(WORKERS) --durations=30 --hypothesis-profile=night $(ARGS)

fresh: ## make demo and make test in a minimal Debian 12 and 13, as root; ARGS="trixie -- make test" chooses
	tools/fresh.sh $(ARGS)

fast: setup translations ## the tests without browser, hardware in the loop, faults, benches, nightly and slow ones
	$(BIN)/pytest $(WORKERS) -n 2 -m "$(QUICK)" $(ARGS)

lowest: setup translations ## tests without browser, hardware in the loop and faults, with the oldest releases of the libraries that pyproject.toml allows
	mkdir -p build
	$(BIN)/uv pip compile --quiet --resolution lowest-direct --no-build --extra test pyproject.toml requirements/build.in -o build/lowest.txt
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/lowest
	$(BIN)/uv pip install --quiet --no-build --python build/lowest/bin/python -r build/lowest.txt
	$(BIN)/uv pip install --quiet --no-deps --no-build-isolation --python build/lowest/bin/python -e .
	build/lowest/bin/python -m pytest $(WORKERS) -m "$(PORTABLE)" $(ARGS)

check: setup ## ruff, format, mypy, import contracts, figures of the tree
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --python-version 3.12
	$(BIN)/mypy tests bench tools/workshop image
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tools/figures.py --check

fix: setup ## what ruff can mend by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup peers ## every speed and size that the README states
	$(BIN)/python -m bench $(ARGS)

release: setup translations ## what a release has, into dist; ARGS="distributions file packages sbom images" chooses
	$(BIN)/python -m tools.release $(ARGS)

image: setup translations ## a bootable image, of terminals for the Pi; STATION=1, ARCH=amd64, ARGS="--dry-run"
	$(BIN)/python -m image.recipe $(if $(STATION),--station) $(if $(ARCH),--arch $(ARCH)) $(ARGS)

image-test: setup translations ## the images in emulated boards, tried as a table would use them; ARGS="--arch arm64 --only frame,game"
	$(BIN)/python -m tests.boot $(ARGS)

soak: setup system $(VENV)/soak-ready ## the promise under every fault, for minutes; ARGS="--minutes 30 --seed 7"
	$(BIN)/python -m tests.soak $(ARGS)

docs: setup $(VENV)/docs-ready ## the documentation as a site with a search, into build/site
	$(BIN)/mkdocs build --strict $(ARGS)

screenshots: setup translations system ## every scene and page as a picture into build/pictures, those of the docs into docs/pictures
	$(BIN)/python -m tools.screenshots $(ARGS)

moving-picture: setup translations system ## the README's moving picture, filmed at a real table and station; five minutes
	$(BIN)/python -m tools.moving_picture $(ARGS)

rules-pages: setup ## a page for each edition, into docs/rules
	$(BIN)/python tools/rules_pages.py

wiring-plans: setup ## the wires of every panel as a drawing, into docs/pictures
	$(BIN)/python tools/wiring_plans.py

hardware-page: setup ## parts lists, sums and housings of docs/setup/hardware.md, from tools/workshop/*.toml
	$(BIN)/python -m tools.workshop

lock: setup ## requirements with hashes, no address inside; releases at least a week old
	$(COMPILE) --extra test --extra lint --extra postgresql pyproject.toml requirements/build.in -o requirements/dev.lock
	$(COMPILE) requirements/image.in -o requirements/image.lock
	$(COMPILE) --constraint requirements/dev.lock --extra soak pyproject.toml -o requirements/soak.lock
	$(COMPILE) --constraint requirements/dev.lock --extra bench pyproject.toml -o requirements/bench.lock
	$(COMPILE) --constraint requirements/dev.lock pyproject.toml -o requirements/demo.lock
	$(COMPILE) --constraint requirements/dev.lock requirements/docs.in -o requirements/docs.lock
	for use in build release rules station terminal; do $(COMPILE) --constraint requirements/dev.lock requirements/$$use.in -o requirements/$$use.lock || exit 1; done

clean: ## everything made here
	rm -rf $(VENV) build dist demo-run .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
