#!/bin/sh
# Pauses the runners of a group while the quay has no power.
set -eu

curl --header "PRIVATE-TOKEN: $GITLAB_TOKEN" "$GITLAB_URL/api/v4/groups/$1/runners?active=true" |
  jq '.[].id' |
  while read -r id; do
    curl --request PUT --header "PRIVATE-TOKEN: $GITLAB_TOKEN" --data "active=false" "$GITLAB_URL/api/v4/runners/$id"
  done
