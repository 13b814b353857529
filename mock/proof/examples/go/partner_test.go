package partner

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

// mock is where the mock runs: partnerkit mock
var mock = strings.TrimRight(os.Getenv("PARTNERKIT_URL"), "/")

// control calls the control API of the mock.
func control(t *testing.T, method, path, body string, into any) {
	t.Helper()
	request, _ := http.NewRequest(method, mock+"/_mock"+path, strings.NewReader(body))
	request.Header.Set("content-type", "application/json")
	reply, err := http.DefaultClient.Do(request)
	if err != nil || reply.StatusCode >= 300 {
		t.Fatal(method, path, err, reply)
	}
	defer reply.Body.Close()
	if into != nil {
		if err := json.NewDecoder(reply.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
}

// tenant is a copy of acme for one test: fresh ids and keys, which go when the test ends.
type tenant struct {
	Name string
	IDs  map[string]string `json:"ids"`
	Keys map[string]struct{ Secret string }
}

func newTenant(t *testing.T) (made tenant) {
	control(t, "POST", "/tenants", `{"from":"acme"}`, &made)
	t.Cleanup(func() { control(t, "DELETE", "/tenants/"+made.Name, "", nil) })
	return made
}

// listLabels stands for the code under test: it asks again where it is told to wait.
func listLabels(key string) (status int) {
	for range 2 {
		request, _ := http.NewRequest("GET", mock+"/v1/labels", nil)
		request.Header.Set("x-api-key", key)
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			return 0
		}
		reply.Body.Close()
		if status = reply.StatusCode; status != http.StatusTooManyRequests {
			break
		}
	}
	return status
}

func TestAsksAgainAfterA429(t *testing.T) {
	acme := newTenant(t)
	control(t, "POST", "/faults", `{"tenant":"`+acme.Name+`","operationId":"listLabels","reply":{"status":429},"times":1}`, nil)
	if status := listLabels(acme.Keys["full"].Secret); status != http.StatusOK {
		t.Fatal("labels are answered", status)
	}
	var found struct {
		Verified    bool
		Explanation string
	}
	control(t, "POST", "/journal/verify", `{"query":{"tenant":"`+acme.Name+`","operationId":"listLabels"},"times":2}`, &found)
	if !found.Verified {
		t.Fatal(found.Explanation)
	}
}

func TestTenantsDoNotMeet(t *testing.T) {
	one, other := newTenant(t), newTenant(t)
	original := "c0000001-0000-4000-8000-000000000001"
	if one.IDs[original] == other.IDs[original] {
		t.Fatal("two tenants have the same conversation")
	}
}
