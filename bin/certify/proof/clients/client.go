// A client as a partner might write it, with net/http: labels a conversation and its site, and uploads a file. Right unless
// DEFECT names what it does wrong.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

func env(name string) string { return os.Getenv("PARTNERKIT_" + name) }

var base, key, site, defect = env("URL"), env("KEY"), env("SITE"), os.Getenv("DEFECT")

func pause(attempt int, retryAfter string) {
	asked, _ := strconv.ParseFloat(retryAfter, 64)
	own := 0.08 * float64(int(1)<<attempt) * (1 + rand.Float64())
	if defect == "retry-after-ignored" {
		asked = 0
	}
	seconds := max(asked+0.05*rand.Float64(), own)
	time.Sleep(time.Duration(seconds * float64(time.Second)))
}

func send(method, address string, headers map[string]string, body []byte) (int, []byte, error) {
	attempts := 5
	if defect == "ignores-errors-of-put" && method == "PUT" {
		attempts = 1
	}
	for attempt := 0; ; attempt++ {
		last := attempt+1 == attempts
		request, err := http.NewRequest(method, address, bytes.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		// net/http would send some of these again by itself, at once.
		request.GetBody = nil
		for name, value := range headers {
			request.Header.Set(name, value)
		}
		reply, err := http.DefaultClient.Do(request)
		var text []byte
		if err == nil {
			text, err = io.ReadAll(reply.Body)
			reply.Body.Close()
		}
		if err != nil {
			if last || defect == "no-retry-of-lost-replies" {
				return 0, nil, err
			}
			pause(attempt, "")
			continue
		}
		if last || (reply.StatusCode != 429 && reply.StatusCode != 503) {
			return reply.StatusCode, text, nil
		}
		pause(attempt, reply.Header.Get("Retry-After"))
	}
}

func call(method, path string, body any, out any, fine ...int) error {
	headers := map[string]string{"x-api-key": key}
	if defect == "bearer" {
		headers = map[string]string{"Authorization": "Bearer " + key}
	}
	var data []byte
	if body != nil {
		headers["Content-Type"] = "application/json"
		data, _ = json.Marshal(body)
	}
	status, text, err := send(method, base+path, headers, data)
	if err != nil {
		return err
	}
	if status >= 300 && !(len(fine) > 0 && fine[0] == status) {
		return fmt.Errorf("%s %s: %d", method, path, status)
	}
	if out == nil || len(text) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if defect == "disallows-unknown-fields" && strings.HasSuffix(path, "/upload-url") {
		decoder.DisallowUnknownFields()
	}
	return decoder.Decode(out)
}

type target struct {
	FileKey            string `json:"fileKey"`
	UploadURL          string `json:"uploadUrl"`
	UploadURLExpiresAt string `json:"uploadUrlExpiresAt"`
}

func upload(contentType string, data []byte) error {
	file := "/v1/site/" + url.PathEscape(site) + "/file"
	for attempt := 1; ; attempt++ {
		var at target
		if err := call("POST", file+"/upload-url", map[string]string{"contentType": contentType}, &at); err != nil {
			return err
		}
		if defect == "strict-time" {
			if _, err := time.Parse("2006-01-02T15:04:05.000Z", at.UploadURLExpiresAt); err != nil {
				return err
			}
		}
		headers := map[string]string{"Content-Type": contentType}
		status, _, err := send("PUT", at.UploadURL, headers, data)
		if err != nil && defect != "ignores-errors-of-put" {
			return err
		}
		if status == 403 && attempt == 1 {
			continue
		}
		if status >= 300 && defect != "ignores-errors-of-put" {
			return fmt.Errorf("PUT: %d", status)
		}
		return call("POST", file, map[string]string{"fileKey": at.FileKey, "name": "boiler.png"}, nil, 409)
	}
}

func run() error {
	var list struct {
		Labels []struct{ ID, Name string } `json:"labels"`
	}
	if err := call("GET", "/v1/labels", nil, &list); err != nil {
		return err
	}
	label := ""
	for _, each := range list.Labels {
		if each.Name == env("LABEL_NAME") {
			label = each.ID
		}
	}
	if label == "" {
		return errors.New("there is no such label")
	}
	var context struct {
		Subject string `json:"subject"`
	}
	if err := call("GET", "/v1/conversation/"+env("CONVERSATION")+"/context", nil, &context); err != nil {
		return err
	}
	fmt.Println(context.Subject)
	if err := call("PUT", "/v1/conversation/"+env("CONVERSATION")+"/label/"+label, nil, nil); err != nil {
		return err
	}
	if err := call("PUT", "/v1/site/"+url.PathEscape(site)+"/label/"+label, nil, nil); err != nil {
		return err
	}
	return upload("image/png", []byte("a picture of a boiler"))
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
