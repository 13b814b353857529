#!/bin/sh
# Writes partnerkit_pytest/generated/control_types.py from the control API's OpenAPI document. Needs datamodel-code-generator 0.89.0.
cd "$(dirname "$0")" || exit
exec datamodel-codegen --input ../control/openapi.yaml --input-file-type openapi --output-model-type typing.TypedDict \
  --target-python-version 3.11 --no-use-closed-typed-dict --disable-timestamp --use-schema-description \
  --formatters builtin --output "${1:-partnerkit_pytest/generated/control_types.py}"
