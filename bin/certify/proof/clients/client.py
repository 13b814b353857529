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
    asked = 0 if defect == "retry-after-ignored" else float(retry_after or 0)
    time.sleep(max(asked + 0.05 * random.random(), 0.08 * 2 ** attempt * (1 + random.random())))

def send(method, url, headers, body=None):
    for attempt in range(5):
        last = attempt == 4
        try:
            reply = once(method, url, headers, body)
        except (OSError, http.client.HTTPException):
            if last or defect == "no-retry-of-lost-replies":
                raise
            pause(attempt, None)
            continue
        if last or reply[0] not in (429, 503):
            return reply
        pause(attempt, reply[1].get("Retry-After"))

def call(method, path, body=None, fine=()):
    headers = {"x-api-key": KEY}
    if defect == "basic":
        headers = {"authorization": "Basic " + KEY}
    data = None
    if body is not None:
        headers["content-type"] = "application/json"
        data = json.dumps(body).encode()
        if defect == "form-body":
            headers["content-type"] = "application/x-www-form-urlencoded"
    status, _, text = send(method, BASE + path, headers, data)
    if status >= 300 and status not in fine:
        raise Refused(status, method + " " + path)
    return json.loads(text) if text else {}

def upload(content_type, data):
    file = f"/v1/site/{urllib.parse.quote(SITE)}/file"
    for attempt in (1, 2):
        target = call("POST", file + "/upload-url", {"contentType": content_type})
        status, _, _ = send("PUT", target["uploadUrl"], {"content-type": content_type}, data)
        if status == 403 and attempt == 1:
            continue
        if status >= 300:
            raise Refused(status, "PUT")
        call("POST", file, {"fileKey": target["fileKey"], "name": "boiler.png"}, (409,))
        return

def main():
    labels = call("GET", "/v1/labels")["labels"]
    if defect == "closed-model":
        class Label:
            def __init__(self, id, name): self.id, self.name = id, name
        labels = [vars(Label(**label)) for label in labels]
    label = next(label["id"] for label in labels if label["name"] == env("LABEL_NAME"))
    context = call("GET", f"/v1/conversation/{env('CONVERSATION')}/context")
    print(context.get("subject", "(no subject)"))
    if defect == "needs-requester":
        print(context["requester"])
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
