#!/usr/bin/env bash
# What `partnerkit load install-k6` does with Go, before there is a Node that runs it: compiling goes on beside all that follows.
set -euo pipefail
begin=$SECONDS
say() { echo "$((SECONDS - begin)) s: $*" >&2; }
cd "$(dirname "$0")/.."
version=v$(sed -n "s/.*k6Version = '\(.*\)'.*/\1/p" load/install-k6.ts)
k6=.cache/bin/k6

if [ -x "$k6" ] && "$k6" version | grep -q "k6 $version"; then
  echo "k6 $version is in $k6"
  exit 0
fi
command -v go >/dev/null || { echo "Go is needed: https://go.dev/dl; or install k6 2 another way" >&2; exit 1; }
say "downloading k6 $version"
# Not `go install module@version`: that asks for the newest release too, and fails where it is not to be had. The module's
# own folder has its go.sum, so what is built is what was released.
source=$(go mod download -json "go.k6.io/k6/v2@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
target="$PWD/$k6"
mkdir -p "$(dirname "$target")"
say "downloading what it needs, and building: some minutes"
# With the GOFLAGS of `.ci/run`. The compiler collects garbage less often, which was a tenth of the work.
(cd "$source" && GOGC=400 go build -mod=readonly -ldflags='-s -w' -o "$target" .)
say "done"
"$k6" version
