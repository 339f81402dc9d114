#!/bin/sh
# A bot in the shell: plays one of the moves between the brackets of "legal".
while read -r line; do
  legal=$(printf '%s\n' "$line" | sed 's/.*"legal": *\[\([^]]*\)\].*/\1/')
  move=$(printf '%s\n' "$legal" | tr -d ' "' | tr , '\n' | shuf -n 1)
  printf '{"move": "%s"}\n' "$move"
done
