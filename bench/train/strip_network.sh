#!/usr/bin/env bash
# usage: bench/train/strip_network.sh SECONDS NODES FOLDER GAME_FILE...
#
# Makes networks for games whose lines chain up, from start to end on a machine with a compiler and torch: self-play on
# all processors, NODES a move, for 60 % of the time, then training. The files describe games whose lines have the same
# length and guards, see bench/train/describe.py. The networks are written to FOLDER.
set -eu
seconds=$1 nodes=$2 folder=$3
shift 3
cd "$(dirname "$0")/../.."
start=$(date +%s)
CXX=${CXX:-$(command -v c++ || command -v g++)}
export CXX
python3 -m bench.train.self_play "$@" --seconds $((seconds * 60 / 100)) --nodes "$nodes"
left=$((seconds - $(date +%s) + start - 15)) # 15 s to load the rows
python3 -m bench.train.strip_network "${@/%.game/.1.rows}" --out "$folder" --seconds "$left" --lanes ${LANES:-32}
