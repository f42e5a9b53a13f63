// A client that openapi-generator generates for Go, used as its author would use it.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	client "cadastre.example/client"
)

var ctx = context.Background()

// fails if the error is set or the status is another one.
func require(status int, response *http.Response, err error) {
	if err != nil {
		panic(err)
	}
	if response.StatusCode != status {
		panic(fmt.Sprint("status ", response.StatusCode))
	}
}

func check(holds bool, what string) {
	if !holds {
		panic(what)
	}
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("CADASTRE_URL")}}
	configuration.AddDefaultHeader("Authorization", "Token "+os.Getenv("CADASTRE_TOKEN"))
	api := client.NewAPIClient(configuration)
	dcim, ipam := api.DcimAPI, api.IpamAPI

	lists := map[string]func() (int, *http.Response, error){
		"sites": func() (int, *http.Response, error) {
			page, response, err := dcim.DcimSitesList(ctx).Limit(1000).Execute()
			return len(page.GetResults()), response, err
		},
		"devices": func() (int, *http.Response, error) {
			page, response, err := dcim.DcimDevicesList(ctx).Limit(1000).Execute()
			return len(page.GetResults()), response, err
		},
		"interfaces": func() (int, *http.Response, error) {
			page, response, err := dcim.DcimInterfacesList(ctx).Limit(1000).Execute()
			return len(page.GetResults()), response, err
		},
		"cables": func() (int, *http.Response, error) {
			page, response, err := dcim.DcimCablesList(ctx).Limit(1000).Execute()
			return len(page.GetResults()), response, err
		},
		"device types": func() (int, *http.Response, error) {
			page, response, err := dcim.DcimDeviceTypesList(ctx).Limit(1000).Execute()
			return len(page.GetResults()), response, err
		},
		"racks": func() (int, *http.Response, error) {
			page, response, err := dcim.DcimRacksList(ctx).Limit(1000).Execute()
			return len(page.GetResults()), response, err
		},
		"prefixes": func() (int, *http.Response, error) {
			page, response, err := ipam.IpamPrefixesList(ctx).Limit(1000).Execute()
			return len(page.GetResults()), response, err
		},
		"addresses": func() (int, *http.Response, error) {
			page, response, err := ipam.IpamIpAddressesList(ctx).Limit(1000).Execute()
			return len(page.GetResults()), response, err
		},
		"changes": func() (int, *http.Response, error) {
			page, response, err := api.CoreAPI.CoreObjectChangesList(ctx).Limit(100).Execute()
			return len(page.GetResults()), response, err
		},
		"custom fields": func() (int, *http.Response, error) {
			page, response, err := api.ExtrasAPI.ExtrasCustomFieldsList(ctx).Limit(1000).Execute()
			return len(page.GetResults()), response, err
		},
		"virtual machines": func() (int, *http.Response, error) {
			page, response, err := api.VirtualizationAPI.VirtualizationVirtualMachinesList(ctx).Limit(1000).Execute()
			return len(page.GetResults()), response, err
		},
	}
	tests := map[string]func(){
		"creates, changes and deletes": func() {
			body := *client.NewWritableSiteRequest("go-life", "go-life")
			created, response, err := dcim.DcimSitesCreate(ctx).
				DcimSitesCreateRequest(client.WritableSiteRequestAsDcimSitesCreateRequest(&body)).Execute()
			require(201, response, err)
			site := created.Site
			check(site.Region.Get() == nil, "a region")
			change := *client.NewPatchedWritableSiteRequest()
			change.SetFacility("B2")
			changed, response, err := dcim.DcimSitesPartialUpdate(ctx, site.Id).PatchedWritableSiteRequest(change).Execute()
			require(200, response, err)
			check(changed.GetFacility() == "B2", "facility")
			_, response, _ = dcim.DcimSitesPartialUpdate(ctx, site.Id).PatchedWritableSiteRequest(change).
				IfMatch(`W/"2020-01-01T00:00:00.000000+00:00"`).Execute()
			check(response.StatusCode == 412, "an old ETag")
			response, err = dcim.DcimSitesDestroy(ctx, site.Id).Execute()
			require(204, response, err)
		},
		"allocates": func() {
			body := *client.NewWritablePrefixRequest("198.51.100.16/28")
			created, response, err := ipam.IpamPrefixesCreate(ctx).
				IpamPrefixesCreateRequest(client.WritablePrefixRequestAsIpamPrefixesCreateRequest(&body)).Execute()
			require(201, response, err)
			wish := *client.NewAvailableIPRequestRequest()
			wish.SetDescription("go")
			taken, response, err := ipam.IpamPrefixesAvailableIpsCreate(ctx, created.Prefix.Id).
				IpamPrefixesAvailableIpsCreateRequest(client.AvailableIPRequestRequestAsIpamPrefixesAvailableIpsCreateRequest(&wish)).
				Execute()
			require(201, response, err)
			check(taken.IPAddress.Address == "198.51.100.17/28", "the first address")
			response, err = ipam.IpamIpAddressesDestroy(ctx, taken.IPAddress.Id).Execute()
			require(204, response, err)
			response, err = ipam.IpamPrefixesDestroy(ctx, created.Prefix.Id).Execute()
			require(204, response, err)
		},
	}
	for name, list := range lists {
		tests["lists "+name] = func() {
			_, response, err := list()
			require(200, response, err)
		}
	}
	failed := 0
	for name, test := range tests {
		func() {
			defer func() {
				if problem := recover(); problem != nil {
					failed++
					fmt.Println("FAIL", name, problem)
				}
			}()
			test()
		}()
	}
	fmt.Printf("%d passed, %d failed, 0 skipped\n", len(tests)-failed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
