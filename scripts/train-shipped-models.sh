#!/bin/sh
# Trains and exports the models that ship with Aspectra: scripts/train-shipped-models.sh DATA OUT
# DATA is the folder with the evaluation data, OUT where runs and bundles go. Two processors: about two hours.
# Cut short, the same command goes on.
set -eu
data=$1 out=$2
mkdir -p "$out"
pairs=$out/mtsamples_pairs.json
test -s "$pairs" || aspectra mine "$data/notes/mtsamples.jsonl" --limit 700 --out "$pairs"
set -- --data "$data/entity_aspect/medquad_train.json" --data "$data/entity_aspect/nhs.jsonl" \
    --data "$data/entity_aspect/medlineplus.jsonl" --data "$pairs" --data "$data/qa/RQE_Train_8588_AMIA2016.xml" \
    --dev "$data/entity_aspect/medquad_dev.json"
aspectra train bi "$@" --out "$out/bi" --epochs 1 \
    --set max_tokens=144 --set together=4 --set titled=0.3 --set checkpoint_every=100
aspectra train cross --data "$data/entity_aspect/medquad_train.json" --out "$out/cross-first" \
    --set context= --set max_tokens=128 --set checkpoint_every=25
aspectra train cross "$@" --base "$out/cross-first/model" --out "$out/cross" --epochs 0.07 \
    --set "miner=$out/bi/model" --set max_tokens=160 --set titled=0.3 --set learning_rate=5e-5 --set checkpoint_every=100
for kind in bi cross; do
    aspectra export "$out/minilm-$kind-int8" --source "$out/$kind/model" --kind $kind --max-tokens 192 \
        --context title,lead --dev "$data/entity_aspect/medquad_dev.json"
done
