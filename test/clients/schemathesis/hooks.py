"""What schemathesis needs to know of this service beyond its document, and the count of what was asked.

CADASTRE_URL and CADASTRE_TOKEN name the server; SAMPLE keeps one operation in so many, chosen by SEED.
"""

import atexit
import collections
import functools
import json
import os
import random
import urllib.error
import urllib.request

import schemathesis
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

BASE = os.environ["CADASTRE_URL"]
TOKEN = os.environ["CADASTRE_TOKEN"]
SAMPLE = int(os.environ.get("SAMPLE", "1"))
SEED = int(os.environ.get("SEED", "1"))
METHODS = ("get", "post", "put", "patch", "delete")


def ids_of(path):
    request = urllib.request.Request(BASE + path, headers={"Authorization": f"Token {TOKEN}"})
    with urllib.request.urlopen(request) as answer:
        return {str(each["id"]) for each in json.load(answer)["results"]}


# A run that changes who asks, or by which token, would be locked out and find nothing more.
OWN = {
    "/api/users/users/": ids_of("/api/users/users/?is_superuser=true&limit=0"),
    "/api/users/tokens/": ids_of("/api/users/tokens/?limit=0"),
}


@schemathesis.hook
def before_load_schema(context, schema):
    chosen = random.Random(SEED)
    for item in schema["paths"].values():
        for method in METHODS:
            if method in item and chosen.randrange(SAMPLE) != 0:
                del item[method]


@functools.cache
def known_ids(collection):
    """Ids of some objects; none where the path is no collection of objects."""
    try:
        return sorted(ids_of(f"{collection}?limit=20"))
    except (urllib.error.URLError, KeyError, TypeError):
        return []


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Two of three ids that could be one are those of an object that was there in the beginning."""
    given = (path_parameters or {}).get("id")
    if not isinstance(given, int) or given % 3 == 0:
        return path_parameters
    known = known_ids(context.operation.path.split("{")[0])
    return {**path_parameters, "id": int(known[given % len(known)])} if known else path_parameters


@schemathesis.hook
def filter_case(context, case):
    if case.method.upper() == "GET":
        return True
    own = next((ids for path, ids in OWN.items() if case.path.startswith(path)), set())
    named = [(case.path_parameters or {}).get("id")]
    if isinstance(case.body, list):
        named += [each.get("id") for each in case.body if isinstance(each, dict)]
    return not any(str(each).strip().split(".")[0] in own for each in named)


@schemathesis.check
def schema_of_whole_answers(ctx, response, case):
    """The document has the types of whole objects alone, since typed clients would get one of several types for each
    operation: not those of selected fields, of a request that is only tried, and of an upsert.
    """
    if not {"fields", "omit", "brief", "dry_run", "match"} & set(case.query or {}):
        response_schema_conformance(ctx, response, case)


@schemathesis.check
def type_of_answers(ctx, response, case):
    """Where nothing has such an address there is a page for people: no operation was reached."""
    if response.status_code != 404 or not response.headers["content-type"][0].startswith("text/html"):
        content_type_conformance(ctx, response, case)


statuses = collections.Counter()


@schemathesis.hook
def after_call(context, case, response):
    statuses[response.status_code] += 1


@atexit.register
def tell():
    each = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
    faults = sum(count for status, count in statuses.items() if status >= 500 and status != 503)
    print(f"{sum(statuses.values())} generated cases, {faults} server errors ({each})")
