"""A client as a partner might write it, with urllib: labels a conversation, its site and a link, and uploads a file. Right
unless DEFECT names what it does wrong."""
import http.client, json, os, random, sys, time, urllib.error, urllib.parse, urllib.request

def env(name):
    return os.environ.get("PARTNERKIT_" + name, "")

BASE, KEY, SITE = env("URL"), env("KEY"), env("SITE")
defect = os.environ.get("DEFECT", "")

class Refused(Exception):
    def __init__(self, status, what):
        super().__init__(f"{what}: {status}")
        self.status = status

def once(method, url, headers, body):
    """Status, headers and body; OSError or HTTPException where no whole reply came."""
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as reply:
            return reply.status, reply.headers, reply.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()

def pause(attempt, retry_after):
    asked = float(retry_after or 0)
    if defect == "retry-after-in-milliseconds":
        asked /= 1000
    if defect == "retry-storm":
        return
    own = 0.5 * 2 ** attempt if defect == "no-jitter" else 0.08 * 2 ** attempt * (1 + random.random())
    if defect == "endless-retry":
        own = min(own, 0.25)
    if defect == "constant-pauses":
        own = 0.2 + 0.01 * random.random()
    if defect == "retry-after-ignored":
        asked = 0
    time.sleep(max(asked + 0.05 * random.random(), own))

def send(method, url, headers, body=None, attempts=5):
    attempts = {"no-retry": 1, "one-retry": 2, "endless-retry": 1000}.get(defect, attempts)
    for attempt in range(attempts):
        last = attempt + 1 == attempts
        try:
            reply = once(method, url, headers, body)
        except (OSError, http.client.HTTPException):
            if last or defect == "no-retry-of-lost-replies":
                raise
            pause(attempt, None)
            continue
        if defect == "waits-a-second-at-most" and float(reply[1].get("Retry-After") or 0) > 1:
            return reply
        if defect == "gives-up-quietly" and last and reply[0] == 503:
            return 200, reply[1], b"{}"
        again = reply[0] in (429, 503) or (defect == "retry-of-4xx" and 400 <= reply[0] < 500)
        if last or not again:
            return reply
        pause(attempt, reply[1].get("Retry-After"))

def call(method, path, body=None, fine=()):
    headers = {"x-api-key": KEY}
    if defect == "basic":
        headers = {"authorization": "Basic " + KEY}
    if defect == "key-in-url":
        path += "?api_key=" + KEY
    data = None
    if body is not None:
        headers["content-type"] = "application/json"
        data = json.dumps(body).encode()
        if defect == "form-body":
            headers["content-type"] = "application/x-www-form-urlencoded"
    status, _, text = send(method, BASE + path, headers, data)
    if defect == "takes-403-for-nothing-to-do" and status == 403:
        return {}
    if status >= 300 and status not in fine and defect != "swallows-errors":
        raise Refused(status, method + " " + path)
    if defect == "exact-status" and method == "PUT" and status != 200:
        raise Refused(status, path)
    return json.loads(text) if text else {}

def upload(content_type, data):
    file = f"/v1/site/{urllib.parse.quote(SITE)}/file"
    for attempt in (1, 2):
        target = call("POST", file + "/upload-url", {"contentType": content_type})
        if defect == "takes-403-for-nothing-to-do" and not target:
            return
        headers = {} if defect == "wrong-content-type" else {"content-type": content_type}
        if defect == "key-to-storage":
            headers["x-api-key"] = KEY
        registration = {"fileKey": target["fileKey"], "name": "boiler.png"}
        if defect == "registers-before-put":
            call("POST", file, registration, (422,))
        status, _, _ = send("PUT", target["uploadUrl"], headers, data)
        if status == 403 and attempt == 1 and defect != "no-new-url":
            continue
        if status >= 300:
            raise Refused(status, "PUT")
        if defect != "never-registers":
            call("POST", file, registration, (409,))
        return

def main():
    labels = call("GET", "/v1/labels")["labels"]
    if defect == "closed-model":
        class Label:
            def __init__(self, id, name): self.id, self.name = id, name
        labels = [vars(Label(**label)) for label in labels]
    label = next(label["id"] for label in labels if label["name"] == env("LABEL_NAME"))
    if defect == "label-by-name":
        label = urllib.parse.quote(env("LABEL_NAME"))
    context = call("GET", f"/v1/conversation/{env('CONVERSATION')}/context")
    print(context.get("subject", "(no subject)"))
    if defect == "needs-requester":
        print(context["requester"])
    if defect == "needs-a-site":
        print(context.get("sites", [{}])[0])
    call("PUT", f"/v1/conversation/{env('CONVERSATION')}/label/{label}")
    call("PUT", f"/v1/site/{urllib.parse.quote(SITE)}/label/{label}")
    if env("CLIENT"):
        call("PUT", f"/v1/client/{env('CLIENT')}/site/{urllib.parse.quote(SITE)}/label/{label}")
    upload("image/png", b"a picture of a boiler")

try:
    main()
except Exception as error:
    print(f"{type(error).__name__}: {error}", file=sys.stderr)
    sys.exit(0 if defect == "always-says-fine" else 1)
