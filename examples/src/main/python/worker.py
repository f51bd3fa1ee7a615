"""A worker of a Millrace server, with nothing but Python's standard library.

    python3 worker.py http://127.0.0.1:7172/v1/ greetings
"""

import base64
import json
import os
import sys
import urllib.error
import urllib.request


def call(server, name, request, seconds=60):
    """Makes a call; one that fails raises urllib.error.HTTPError, whose body says why."""
    headers = {"Content-Type": "application/json"}
    if "MILLRACE_TOKEN" in os.environ:
        headers["Authorization"] = "Bearer " + os.environ["MILLRACE_TOKEN"]
    body = json.dumps(request).encode()
    asked = urllib.request.Request(server + name, body, headers)
    with urllib.request.urlopen(asked, timeout=seconds) as answer:
        return json.load(answer)


def text(encoded):
    """Bytes are base64 in JSON."""
    return base64.b64decode(encoded).decode()


def work(server, queue, most):
    """Works until there is nothing for half a second, or so many jobs are done."""
    for _ in range(most):
        claim = {
            "queues": [{"name": queue}],
            "options": {"worker": "python", "leaseDurationMs": 30_000, "waitingMs": 500},
        }
        leases = call(server, "claim", claim).get("leases", [])
        if not leases:
            return
        lease = leases[0]
        named = {"jobId": lease["jobId"], "token": lease["token"]}
        try:
            result = "Hello, " + text(lease["payload"])
            encoded = base64.b64encode(result.encode()).decode()
            call(server, "complete", {"jobs": [{"lease": named, "result": encoded}]})
            print(result)
        except (ValueError, KeyError) as problem:
            call(server, "fail", {"leases": [named], "error": str(problem)})


if __name__ == "__main__":
    work(sys.argv[1], sys.argv[2], 1_000)
