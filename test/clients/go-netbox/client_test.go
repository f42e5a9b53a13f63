// Package clients runs an unmodified go-netbox against a server whose address and token come from
// CADASTRE_URL and CADASTRE_TOKEN; `run` starts one.
package clients

import (
	"os"
	"testing"

	netbox "github.com/netbox-community/go-netbox/v4"
)

func client(t *testing.T) *netbox.APIClient {
	t.Helper()
	url, token := os.Getenv("CADASTRE_URL"), os.Getenv("CADASTRE_TOKEN")
	if url == "" || token == "" {
		t.Fatal("CADASTRE_URL and CADASTRE_TOKEN are not set")
	}
	return netbox.NewAPIClientFor(url, token)
}
