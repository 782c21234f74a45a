#!/bin/sh
# Trains and exports the models that ship with Aspectra: scripts/train-shipped-models.sh DATA OUT
# DATA is the folder with the evaluation data, OUT where runs and bundles go. Two processors: about three hours.
# Cut short, the same command goes on.
set -eu
data=$1 out=$2
mkdir -p "$out"
pairs=$out/mtsamples_pairs.json asked=$out/asked.json
test -s "$pairs" || aspectra mine "$data/notes/mtsamples.jsonl" --limit 700 --out "$pairs"
test -s "$asked" || aspectra mine "$data" --asked "$(dirname "$0")/../search_stack/evaluation/gold/asked.tsv" --out "$asked"
dev=$data/entity_aspect/medquad_dev.json
set -- --data "$data/entity_aspect/medquad_train.json" --data "$data/entity_aspect/nhs.jsonl" \
    --data "$data/entity_aspect/medlineplus.jsonl" --data "$data/qa/RQE_Train_8588_AMIA2016.xml" --dev "$dev"
aspectra train bi "$@" --data "$pairs" --out "$out/bi-web" --epochs 1 \
    --set max_tokens=144 --set together=4 --set titled=0.3 --set checkpoint_every=100
# What people asked of notes counts twice; the encoder is the mean of both runs.
aspectra train bi "$@" --data "$asked" --data "$asked" --out "$out/bi-notes" --epochs 1 --set context=section,lead \
    --set max_tokens=144 --set together=4 --set titled=0.5 --set checkpoint_every=100
aspectra train cross --data "$data/entity_aspect/medquad_train.json" --out "$out/cross-first" \
    --set context= --set max_tokens=128 --set checkpoint_every=25
aspectra train cross "$@" --data "$pairs" --base "$out/cross-first/model" --out "$out/cross" --epochs 0.07 \
    --set "miner=$out/bi-web/model" --set max_tokens=160 --set titled=0.3 --set learning_rate=5e-5 --set checkpoint_every=100
aspectra export "$out/minilm-bi-int8" --source "$out/bi-notes/model" --source "$out/bi-web/model" --kind bi \
    --max-tokens 192 --context title,section,lead --dev "$dev"
aspectra export "$out/minilm-cross-int8" --source "$out/cross/model" --kind cross --max-tokens 192 \
    --context title,lead --dev "$dev"
# Each is the mean of three runs, that which compares vectors of its base too.
for seed in 13 14 15; do
    set -- --data "$data/sts/stsb_train.csv" --more "$data" --dev "$data/sts/stsb_dev.csv" --seed "$seed"
    aspectra train sts "$@" --out "$out/sts-$seed"
    aspectra train sts "$@" --out "$out/sts-pair-$seed" --set model=regression --set weight=0.3
done
aspectra export "$out/minilm-sts-int8" --source "$out/sts-13/model" --source "$out/sts-14/model" \
    --source "$out/sts-15/model" --source minilm --kind bi
aspectra export "$out/minilm-sts-pair-int8" --source "$out/sts-pair-13/model" --source "$out/sts-pair-14/model" \
    --source "$out/sts-pair-15/model" --kind cross
