// Limiters of Go's libraries, each at a path of its own. Prints its port.
package main

import (
	"fmt"
	"net"
	"net/http"
	"time"

	juju "github.com/juju/ratelimit"
	"github.com/sethvargo/go-limiter/memorystore"
	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"
	uber "go.uber.org/ratelimit"
	"golang.org/x/time/rate"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	serve := func(path string, admits func(*http.Request) bool) {
		http.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if !admits(r) {
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
			}
		})
	}

	standard := rate.NewLimiter(10, 20)
	serve("/x-time-rate/", func(*http.Request) bool { return standard.Allow() })
	lax := rate.NewLimiter(12, 20)
	serve("/x-time-rate-12/", func(*http.Request) bool { return lax.Allow() })

	cells := must(throttled.NewGCRARateLimiterCtx(must(memstore.NewCtx(10)), throttled.RateQuota{MaxRate: throttled.PerSec(10), MaxBurst: 19}))
	serve("/throttled/", func(r *http.Request) bool {
		limited, _, err := cells.RateLimitCtx(r.Context(), "key", 1)
		return err == nil && !limited
	})

	bucket := juju.NewBucketWithRate(10, 20)
	serve("/juju/", func(*http.Request) bool { return bucket.TakeAvailable(1) == 1 })

	store := must(memorystore.New(&memorystore.Config{Tokens: 20, Interval: 2 * time.Second}))
	serve("/go-limiter/", func(r *http.Request) bool {
		_, _, _, ok, err := store.Take(r.Context(), "key")
		return err == nil && ok
	})

	queue := uber.New(10, uber.WithoutSlack)
	serve("/uber/", func(*http.Request) bool { queue.Take(); return true })

	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, nil))
}
