package clients

import (
	"testing"

	netbox "github.com/netbox-community/go-netbox/v4"
)

func TestDcimResources(t *testing.T) {
	api := client(t)
	p := makeParts(t, api)
	name, slug := word, word

	sitesRequest := func(description string) netbox.WritableSiteRequest {
		body := netbox.NewWritableSiteRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "sites", operations[netbox.Site, netbox.PaginatedSiteList]{
		create: func() request[netbox.Site] {
			return api.DcimAPI.DcimSitesCreate(background).WritableSiteRequest(sitesRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedSiteList] {
			return api.DcimAPI.DcimSitesList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Site] {
			return api.DcimAPI.DcimSitesRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Site] {
			body := netbox.NewPatchedWritableSiteRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimSitesPartialUpdate(background, id).PatchedWritableSiteRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Site] {
			return api.DcimAPI.DcimSitesUpdate(background, id).WritableSiteRequest(sitesRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimSitesDestroy(background, id) },
	})

	regionsRequest := func(description string) netbox.WritableRegionRequest {
		body := netbox.NewWritableRegionRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "regions", operations[netbox.Region, netbox.PaginatedRegionList]{
		create: func() request[netbox.Region] {
			return api.DcimAPI.DcimRegionsCreate(background).WritableRegionRequest(regionsRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedRegionList] {
			return api.DcimAPI.DcimRegionsList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Region] {
			return api.DcimAPI.DcimRegionsRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Region] {
			body := netbox.NewPatchedWritableRegionRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimRegionsPartialUpdate(background, id).PatchedWritableRegionRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Region] {
			return api.DcimAPI.DcimRegionsUpdate(background, id).WritableRegionRequest(regionsRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimRegionsDestroy(background, id) },
	})

	siteGroupsRequest := func(description string) netbox.WritableSiteGroupRequest {
		body := netbox.NewWritableSiteGroupRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "siteGroups", operations[netbox.SiteGroup, netbox.PaginatedSiteGroupList]{
		create: func() request[netbox.SiteGroup] {
			return api.DcimAPI.DcimSiteGroupsCreate(background).WritableSiteGroupRequest(siteGroupsRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedSiteGroupList] {
			return api.DcimAPI.DcimSiteGroupsList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.SiteGroup] {
			return api.DcimAPI.DcimSiteGroupsRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.SiteGroup] {
			body := netbox.NewPatchedWritableSiteGroupRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimSiteGroupsPartialUpdate(background, id).PatchedWritableSiteGroupRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.SiteGroup] {
			return api.DcimAPI.DcimSiteGroupsUpdate(background, id).WritableSiteGroupRequest(siteGroupsRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimSiteGroupsDestroy(background, id) },
	})

	locationsRequest := func(description string) netbox.WritableLocationRequest {
		body := netbox.NewWritableLocationRequest(name, slug, netbox.Int32AsDeviceWithConfigContextRequestSite(&p.site))
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "locations", operations[netbox.Location, netbox.PaginatedLocationList]{
		create: func() request[netbox.Location] {
			return api.DcimAPI.DcimLocationsCreate(background).WritableLocationRequest(locationsRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedLocationList] {
			return api.DcimAPI.DcimLocationsList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Location] {
			return api.DcimAPI.DcimLocationsRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Location] {
			body := netbox.NewPatchedWritableLocationRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimLocationsPartialUpdate(background, id).PatchedWritableLocationRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Location] {
			return api.DcimAPI.DcimLocationsUpdate(background, id).WritableLocationRequest(locationsRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimLocationsDestroy(background, id) },
	})

	manufacturersRequest := func(description string) netbox.ManufacturerRequest {
		body := netbox.NewManufacturerRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "manufacturers", operations[netbox.Manufacturer, netbox.PaginatedManufacturerList]{
		create: func() request[netbox.Manufacturer] {
			return api.DcimAPI.DcimManufacturersCreate(background).ManufacturerRequest(manufacturersRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedManufacturerList] {
			return api.DcimAPI.DcimManufacturersList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Manufacturer] {
			return api.DcimAPI.DcimManufacturersRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Manufacturer] {
			body := netbox.NewPatchedManufacturerRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimManufacturersPartialUpdate(background, id).PatchedManufacturerRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Manufacturer] {
			return api.DcimAPI.DcimManufacturersUpdate(background, id).ManufacturerRequest(manufacturersRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimManufacturersDestroy(background, id) },
	})

	deviceRolesRequest := func(description string) netbox.WritableDeviceRoleRequest {
		body := netbox.NewWritableDeviceRoleRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "deviceRoles", operations[netbox.DeviceRole, netbox.PaginatedDeviceRoleList]{
		create: func() request[netbox.DeviceRole] {
			return api.DcimAPI.DcimDeviceRolesCreate(background).WritableDeviceRoleRequest(deviceRolesRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedDeviceRoleList] {
			return api.DcimAPI.DcimDeviceRolesList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.DeviceRole] {
			return api.DcimAPI.DcimDeviceRolesRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.DeviceRole] {
			body := netbox.NewPatchedWritableDeviceRoleRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimDeviceRolesPartialUpdate(background, id).PatchedWritableDeviceRoleRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.DeviceRole] {
			return api.DcimAPI.DcimDeviceRolesUpdate(background, id).WritableDeviceRoleRequest(deviceRolesRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimDeviceRolesDestroy(background, id) },
	})

	deviceTypesRequest := func(description string) netbox.WritableDeviceTypeRequest {
		body := netbox.NewWritableDeviceTypeRequest(
			netbox.Int32AsBriefDeviceTypeRequestManufacturer(&p.manufacturer), name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "deviceTypes", operations[netbox.DeviceType, netbox.PaginatedDeviceTypeList]{
		create: func() request[netbox.DeviceType] {
			return api.DcimAPI.DcimDeviceTypesCreate(background).WritableDeviceTypeRequest(deviceTypesRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedDeviceTypeList] {
			return api.DcimAPI.DcimDeviceTypesList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.DeviceType] {
			return api.DcimAPI.DcimDeviceTypesRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.DeviceType] {
			body := netbox.NewPatchedWritableDeviceTypeRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimDeviceTypesPartialUpdate(background, id).PatchedWritableDeviceTypeRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.DeviceType] {
			return api.DcimAPI.DcimDeviceTypesUpdate(background, id).WritableDeviceTypeRequest(deviceTypesRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimDeviceTypesDestroy(background, id) },
	})

	platformsRequest := func(description string) netbox.PlatformRequest {
		body := netbox.NewPlatformRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "platforms", operations[netbox.Platform, netbox.PaginatedPlatformList]{
		create: func() request[netbox.Platform] {
			return api.DcimAPI.DcimPlatformsCreate(background).PlatformRequest(platformsRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedPlatformList] {
			return api.DcimAPI.DcimPlatformsList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Platform] {
			return api.DcimAPI.DcimPlatformsRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Platform] {
			body := netbox.NewPatchedPlatformRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimPlatformsPartialUpdate(background, id).PatchedPlatformRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Platform] {
			return api.DcimAPI.DcimPlatformsUpdate(background, id).PlatformRequest(platformsRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimPlatformsDestroy(background, id) },
	})

	rackRolesRequest := func(description string) netbox.RackRoleRequest {
		body := netbox.NewRackRoleRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "rackRoles", operations[netbox.RackRole, netbox.PaginatedRackRoleList]{
		create: func() request[netbox.RackRole] {
			return api.DcimAPI.DcimRackRolesCreate(background).RackRoleRequest(rackRolesRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedRackRoleList] {
			return api.DcimAPI.DcimRackRolesList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.RackRole] {
			return api.DcimAPI.DcimRackRolesRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.RackRole] {
			body := netbox.NewPatchedRackRoleRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimRackRolesPartialUpdate(background, id).PatchedRackRoleRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.RackRole] {
			return api.DcimAPI.DcimRackRolesUpdate(background, id).RackRoleRequest(rackRolesRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimRackRolesDestroy(background, id) },
	})

	racksRequest := func(description string) netbox.WritableRackRequest {
		body := netbox.NewWritableRackRequest(name, netbox.Int32AsDeviceWithConfigContextRequestSite(&p.site))
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "racks", operations[netbox.Rack, netbox.PaginatedRackList]{
		create: func() request[netbox.Rack] {
			return api.DcimAPI.DcimRacksCreate(background).WritableRackRequest(racksRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedRackList] {
			return api.DcimAPI.DcimRacksList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Rack] {
			return api.DcimAPI.DcimRacksRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Rack] {
			body := netbox.NewPatchedWritableRackRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimRacksPartialUpdate(background, id).PatchedWritableRackRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Rack] {
			return api.DcimAPI.DcimRacksUpdate(background, id).WritableRackRequest(racksRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimRacksDestroy(background, id) },
	})

	devicesRequest := func(description string) netbox.WritableDeviceWithConfigContextRequest {
		body := deviceRequest(p)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "devices", operations[netbox.DeviceWithConfigContext, netbox.PaginatedDeviceWithConfigContextList]{
		create: func() request[netbox.DeviceWithConfigContext] {
			return api.DcimAPI.DcimDevicesCreate(background).WritableDeviceWithConfigContextRequest(devicesRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedDeviceWithConfigContextList] {
			return api.DcimAPI.DcimDevicesList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.DeviceWithConfigContext] {
			return api.DcimAPI.DcimDevicesRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.DeviceWithConfigContext] {
			body := netbox.NewPatchedWritableDeviceWithConfigContextRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimDevicesPartialUpdate(background, id).PatchedWritableDeviceWithConfigContextRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.DeviceWithConfigContext] {
			return api.DcimAPI.DcimDevicesUpdate(background, id).WritableDeviceWithConfigContextRequest(devicesRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimDevicesDestroy(background, id) },
	})

	interfacesRequest := func(description string) netbox.WritableInterfaceRequest {
		body := netbox.NewWritableInterfaceRequest(
			netbox.Int32AsBriefInterfaceRequestDevice(&p.device), name, netbox.INTERFACETYPEVALUE__1000BASE_T)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "interfaces", operations[netbox.Interface, netbox.PaginatedInterfaceList]{
		create: func() request[netbox.Interface] {
			return api.DcimAPI.DcimInterfacesCreate(background).WritableInterfaceRequest(interfacesRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedInterfaceList] {
			return api.DcimAPI.DcimInterfacesList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Interface] {
			return api.DcimAPI.DcimInterfacesRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Interface] {
			body := netbox.NewPatchedWritableInterfaceRequest()
			body.SetDescription(description)
			return api.DcimAPI.DcimInterfacesPartialUpdate(background, id).PatchedWritableInterfaceRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Interface] {
			return api.DcimAPI.DcimInterfacesUpdate(background, id).WritableInterfaceRequest(interfacesRequest(description))
		},
		destroy: func(id int32) deletion { return api.DcimAPI.DcimInterfacesDestroy(background, id) },
	})
}
