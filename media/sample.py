# Sample program of Beacon

import os

import requests
import sentry_sdk

sentry_sdk.init(dsn="{dsn}")

API = f"{os.environ['GITLAB_URL']}/api/v4"
HEADERS = {"PRIVATE-TOKEN": os.environ["GITLAB_TOKEN"]}


def runners_up() -> list[str]:
    query = {"active": "true"}
    runners = requests.get(f"{API}/runners", params=query, headers=HEADERS).json()
    return [one["description"] for one in runners]


def merge_requests() -> list[str]:
    path = f"{API}/projects/harbor%2Ftide-table/merge_requests?state=merged"
    merged = requests.get(path, headers=HEADERS).json()
    return [f"{one['title']} ({one['merge_status']}), by {one['merged_by']['name']}" for one in merged]


if __name__ == "__main__":
    print("\n".join([*runners_up(), *merge_requests()]))
