#!/usr/bin/env bash
# A client as a partner might write it, with curl alone: puts a label on a conversation and its site. Right unless
# DEFECT names what it does wrong.
set -uo pipefail
is() { [ "${DEFECT:-}" = "$1" ]; }
body=$(mktemp) head=$(mktemp)
trap 'rm -f "$body" "$head"' EXIT

# call METHOD PATH: the body of a success on stdout
call() {
  local attempt status asked own key=(-H "x-api-key: $PARTNERKIT_KEY")
  is bearer && key=(-H "Authorization: Bearer $PARTNERKIT_KEY")
  for ((attempt = 0; attempt < 5; attempt++)); do
    # 000 where no whole reply came.
    status=$(curl -sS -X "$1" "${key[@]}" --max-time 10 -o "$body" -D "$head" -w '%{http_code}' "$PARTNERKIT_URL$2") || status=000
    case $status in
      2*) cat "$body"; return 0 ;;
      000) is no-retry-of-lost-replies && return 1 ;;
      429 | 503) ;;
      *) echo "$1 $2: $status" >&2; is swallows-errors && return 0; return 1 ;;
    esac
    ((attempt == 4)) && break
    asked=$(tr -d '\r' < "$head" | awk -F': *' 'tolower($1) == "retry-after" { print $2 }')
    is retry-after-ignored && asked=0
    is case-sensitive-headers && asked=$(tr -d '\r' < "$head" | awk -F': *' '$1 == "retry-after" { print $2 }')
    [ "$status" = 000 ] && asked=0
    own=$(awk -v n=$attempt -v r=$RANDOM 'BEGIN { print 2 ^ n * 0.1 * (1 + r / 32768) }')
    sleep "$(awk -v a="${asked:-0}" -v b="$own" -v r=$RANDOM 'BEGIN { a += r / 700000; print (a > b ? a : b) }')"
  done
  echo "$1 $2: $status" >&2
  return 1
}

labels=$(call GET /v1/labels) || exit 1
if is grep-json; then
  label=$(grep -o "\"id\":\"[^\"]*\",\"name\":\"$PARTNERKIT_LABEL_NAME\"" <<< "$labels" | cut -d'"' -f4)
else
  label=$(python3 -c 'import json, sys; print(next(l["id"] for l in json.load(sys.stdin)["labels"] if l["name"] == sys.argv[1]))' "$PARTNERKIT_LABEL_NAME" <<< "$labels") || exit 1
fi
[ -n "$label" ] || { echo 'there is no such label' >&2; exit 1; }
call PUT "/v1/conversation/$PARTNERKIT_CONVERSATION/label/$label" > /dev/null || exit 1
site=$(python3 -c 'import sys, urllib.parse; print(urllib.parse.quote(sys.argv[1], safe=""))' "$PARTNERKIT_SITE") || exit 1
call PUT "/v1/site/$site/label/$label" > /dev/null || exit 1
