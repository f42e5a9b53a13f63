package clients

import (
	"context"
	"testing"

	netbox "github.com/netbox-community/go-netbox/v4"
)

// word stands at the beginning of every name that this suite gives.
const word = "gonetbox"

var background = context.Background()

// parts are objects that others need, by their ids.
type parts struct {
	site, manufacturer, deviceType, role, device, rir, clusterType int32
}

// made creates a part and has it deleted when the test is over, after all that was made later.
func made[T any, P object[T]](t *testing.T, create request[T], destroy func(id int32) deletion) int32 {
	t.Helper()
	id := P(must(t, "part", create)).GetId()
	t.Cleanup(func() {
		if _, err := destroy(id).Execute(); err != nil {
			t.Errorf("a part stays: %v", err)
		}
	})
	return id
}

func makeParts(t *testing.T, api *netbox.APIClient) parts {
	t.Helper()
	var p parts
	name, slug := word+" part", word+"-part"
	p.site = made(t, api.DcimAPI.DcimSitesCreate(background).
		WritableSiteRequest(*netbox.NewWritableSiteRequest(name, slug)),
		func(id int32) deletion { return api.DcimAPI.DcimSitesDestroy(background, id) })
	p.manufacturer = made(t, api.DcimAPI.DcimManufacturersCreate(background).
		ManufacturerRequest(*netbox.NewManufacturerRequest(name, slug)),
		func(id int32) deletion { return api.DcimAPI.DcimManufacturersDestroy(background, id) })
	p.deviceType = made(t, api.DcimAPI.DcimDeviceTypesCreate(background).
		WritableDeviceTypeRequest(*netbox.NewWritableDeviceTypeRequest(
			netbox.Int32AsBriefDeviceTypeRequestManufacturer(&p.manufacturer), name, slug)),
		func(id int32) deletion { return api.DcimAPI.DcimDeviceTypesDestroy(background, id) })
	p.role = made(t, api.DcimAPI.DcimDeviceRolesCreate(background).
		WritableDeviceRoleRequest(*netbox.NewWritableDeviceRoleRequest(name, slug)),
		func(id int32) deletion { return api.DcimAPI.DcimDeviceRolesDestroy(background, id) })
	p.device = made(t, api.DcimAPI.DcimDevicesCreate(background).
		WritableDeviceWithConfigContextRequest(*deviceRequest(p)),
		func(id int32) deletion { return api.DcimAPI.DcimDevicesDestroy(background, id) })
	p.rir = made(t, api.IpamAPI.IpamRirsCreate(background).
		RIRRequest(*netbox.NewRIRRequest(name, slug)),
		func(id int32) deletion { return api.IpamAPI.IpamRirsDestroy(background, id) })
	p.clusterType = made(t, api.VirtualizationAPI.VirtualizationClusterTypesCreate(background).
		ClusterTypeRequest(*netbox.NewClusterTypeRequest(name, slug)),
		func(id int32) deletion {
			return api.VirtualizationAPI.VirtualizationClusterTypesDestroy(background, id)
		})
	return p
}

// deviceRequest asks for a device without a name, which there may be any number of.
func deviceRequest(p parts) *netbox.WritableDeviceWithConfigContextRequest {
	return netbox.NewWritableDeviceWithConfigContextRequest(
		netbox.Int32AsDeviceBayTemplateRequestDeviceType(&p.deviceType),
		netbox.Int32AsDeviceWithConfigContextRequestRole(&p.role),
		netbox.Int32AsDeviceWithConfigContextRequestSite(&p.site))
}
