package clients

import (
	"net/http"
	"testing"
)

// object is what all structs of objects have in common.
type object[T any] interface {
	*T
	GetId() int32
	GetDescription() string
}

// page is what all structs of lists have in common.
type page[T, L any] interface {
	*L
	GetResults() []T
}

type request[T any] interface {
	Execute() (*T, *http.Response, error)
}

type deletion interface {
	Execute() (*http.Response, error)
}

// operations are the requests of one resource. What `change` and `replace` send carries the description
// that they are given.
type operations[T, L any] struct {
	create   func() request[T]
	list     func(id int32) request[L]
	retrieve func(id int32) request[T]
	change   func(id int32, description string) request[T]
	replace  func(id int32, description string) request[T]
	destroy  func(id int32) deletion
}

func must[T any](t *testing.T, what string, call request[T]) *T {
	t.Helper()
	value, _, err := call.Execute()
	if err != nil {
		body := ""
		if detailed, ok := err.(interface{ Body() []byte }); ok {
			body = string(detailed.Body())
		}
		t.Fatalf("%s: %v %s", what, err, body)
	}
	return value
}

// lifecycle makes an object, finds, changes, replaces and deletes it.
func lifecycle[T, L any, P object[T], Q page[T, L]](t *testing.T, name string, on operations[T, L]) {
	t.Run(name, func(t *testing.T) {
		id := P(must(t, "create", on.create())).GetId()
		if id <= 0 {
			t.Fatalf("created with the id %d", id)
		}
		found := Q(must(t, "list", on.list(id))).GetResults()
		if len(found) != 1 || P(&found[0]).GetId() != id {
			t.Errorf("the list of the id %d has %d objects", id, len(found))
		}
		if got := P(must(t, "retrieve", on.retrieve(id))).GetId(); got != id {
			t.Errorf("retrieved %d instead of %d", got, id)
		}
		if got := P(must(t, "change", on.change(id, "changed"))).GetDescription(); got != "changed" {
			t.Errorf("description %q after the change", got)
		}
		if got := P(must(t, "replace", on.replace(id, "replaced"))).GetDescription(); got != "replaced" {
			t.Errorf("description %q after the replacement", got)
		}
		if answer, err := on.destroy(id).Execute(); err != nil {
			t.Fatalf("delete: %v (%v)", err, answer)
		}
		if _, answer, err := on.retrieve(id).Execute(); err == nil || answer.StatusCode != http.StatusNotFound {
			t.Errorf("still there after its deletion: %v", answer)
		}
	})
}
