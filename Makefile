# Everything a developer or an operator of one machine does. `make` lists it.
SHELL := /bin/bash
.DEFAULT_GOAL := help
LOCAL := deploy/local

.PHONY: help up down restart roll steady test test-rust test-client e2e check bench lighthouse slow-phone frames coverage soak pictures proof proof-community faults fuzz logs status reset backup restore redrive test-scripts backup-test upgrade

help: ## List what can be made
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

up: ## Build and run the product on this machine (DETACH=1: return when it is ready)
	@$(LOCAL)/stack.sh up $(if $(DETACH),--detach)

down: ## Stop it; the data stays
	@$(LOCAL)/stack.sh down

restart: ## Stop it and run it again
	@$(LOCAL)/stack.sh down && $(LOCAL)/stack.sh up $(if $(DETACH),--detach)

status: ## Say which parts run
	@$(LOCAL)/stack.sh status

logs: ## Follow the logs (NAME=trading: of one process)
	@$(LOCAL)/stack.sh logs $(NAME)

reset: ## Stop it and delete all of its data
	@$(LOCAL)/stack.sh reset

backup: ## Save the installation: databases, pictures, market seed, keys (TO=folder)
	@$(LOCAL)/backup.sh save "$(TO)"

restore: ## Bring a backup back, also on a new machine (FROM=folder, UNTIL=time)
	@$(LOCAL)/backup.sh restore "$(FROM)"

test-scripts: ## Only the tests of the scripts of deploy/local
	@$(LOCAL)/scripts-test.sh

backup-test: ## Back up under load, throw everything away and restore it (ROUNDS=…)
	@$(LOCAL)/backup-test.sh

redrive: ## Put dead letters back into the queues they came from
	@$(LOCAL)/process.sh trading redrive

test: ## Run every test: Rust, client, and journeys in a browser on the running product
	@$(LOCAL)/test.sh all

test-rust: ## Only the Rust tests, on private servers (ONLY=name: those whose name contains it)
	@$(LOCAL)/test.sh rust $(ONLY)

test-client: ## Only the client's own tests (ONLY=name: the files whose names contain it)
	@$(LOCAL)/test.sh client $(ONLY)

e2e: ## Only the browser journeys (ONLY=name: the files whose names contain it)
	@$(LOCAL)/test.sh e2e $(ONLY)

check: ## Formatting, lints, types, generated code, sizes, manifests, migrations, alerts
	@$(LOCAL)/check.sh

bench: ## Measure speed and memory, against a peer where there is one (ONLY=orders: one of them)
	@$(LOCAL)/bench.sh $(ONLY)

lighthouse: ## Judge ten screens on a phone (ORIGIN=http://…: of a running product, RUNS=…)
	@$(LOCAL)/lighthouse.sh

slow-phone: ## Measure the first prices on a slow phone with a slow line (ORIGIN=http://…, RUNS=…)
	@$(LOCAL)/slow-phone.sh

frames: ## Measure scrolling, standing and taps while 100 and 1,000 prices a second change
	@$(LOCAL)/frames.sh

coverage: ## Measure what the client's tests reach; 85 % is wanted
	@$(LOCAL)/client.sh install && cd frontend && npm run --silent coverage

soak: ## Watch the client's heap for half an hour of live prices (MINUTES=…)
	@$(LOCAL)/soak.sh

pictures: ## Compare pictures of the screens with those of the first run (ORIGIN=http://…)
	@$(LOCAL)/pictures.sh

fuzz: ## Send requests made from the OpenAPI document, good and bad (SEED=…, EXAMPLES=…)
	@$(LOCAL)/schemathesis.sh

proof: ## Kill every process and server under random orders and prove the books (OPERATIONS=…, SEED=…)
	@$(LOCAL)/proof.sh

proof-community: ## Kill the community, its servers and files under random texts, likes and relations (OPERATIONS=…, SEED=…)
	@$(LOCAL)/proof-community.sh

faults: ## Stop, starve and restart each server and process under orders, and wait until orders go on (FROZEN_S=…)
	@$(LOCAL)/faults.sh

upgrade: ## Prove that the last release and this tree work on each other's schema and data (BASE=revision)
	@$(LOCAL)/upgrade.sh

roll: ## Replace every process that runs by a new one without refusing a request (NAME=trading: one of them)
	@$(LOCAL)/rolling.sh $(NAME)

steady: ## Replace every process under half load, three times, and count failed requests
	@$(LOCAL)/steady.sh
