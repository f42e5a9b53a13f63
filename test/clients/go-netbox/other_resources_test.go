package clients

import (
	"testing"

	netbox "github.com/netbox-community/go-netbox/v4"
)

func TestOtherResources(t *testing.T) {
	api := client(t)
	p := makeParts(t, api)
	name, slug := word, word

	tenantGroupsRequest := func(description string) netbox.WritableTenantGroupRequest {
		body := netbox.NewWritableTenantGroupRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "tenantGroups", operations[netbox.TenantGroup, netbox.PaginatedTenantGroupList]{
		create: func() request[netbox.TenantGroup] {
			return api.TenancyAPI.TenancyTenantGroupsCreate(background).WritableTenantGroupRequest(tenantGroupsRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedTenantGroupList] {
			return api.TenancyAPI.TenancyTenantGroupsList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.TenantGroup] {
			return api.TenancyAPI.TenancyTenantGroupsRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.TenantGroup] {
			body := netbox.NewPatchedWritableTenantGroupRequest()
			body.SetDescription(description)
			return api.TenancyAPI.TenancyTenantGroupsPartialUpdate(background, id).PatchedWritableTenantGroupRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.TenantGroup] {
			return api.TenancyAPI.TenancyTenantGroupsUpdate(background, id).WritableTenantGroupRequest(tenantGroupsRequest(description))
		},
		destroy: func(id int32) deletion { return api.TenancyAPI.TenancyTenantGroupsDestroy(background, id) },
	})

	tenantsRequest := func(description string) netbox.TenantRequest {
		body := netbox.NewTenantRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "tenants", operations[netbox.Tenant, netbox.PaginatedTenantList]{
		create: func() request[netbox.Tenant] {
			return api.TenancyAPI.TenancyTenantsCreate(background).TenantRequest(tenantsRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedTenantList] {
			return api.TenancyAPI.TenancyTenantsList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Tenant] {
			return api.TenancyAPI.TenancyTenantsRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Tenant] {
			body := netbox.NewPatchedTenantRequest()
			body.SetDescription(description)
			return api.TenancyAPI.TenancyTenantsPartialUpdate(background, id).PatchedTenantRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Tenant] {
			return api.TenancyAPI.TenancyTenantsUpdate(background, id).TenantRequest(tenantsRequest(description))
		},
		destroy: func(id int32) deletion { return api.TenancyAPI.TenancyTenantsDestroy(background, id) },
	})

	tagsRequest := func(description string) netbox.TagRequest {
		body := netbox.NewTagRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "tags", operations[netbox.Tag, netbox.PaginatedTagList]{
		create: func() request[netbox.Tag] {
			return api.ExtrasAPI.ExtrasTagsCreate(background).TagRequest(tagsRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedTagList] {
			return api.ExtrasAPI.ExtrasTagsList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Tag] {
			return api.ExtrasAPI.ExtrasTagsRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Tag] {
			body := netbox.NewPatchedTagRequest()
			body.SetDescription(description)
			return api.ExtrasAPI.ExtrasTagsPartialUpdate(background, id).PatchedTagRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Tag] {
			return api.ExtrasAPI.ExtrasTagsUpdate(background, id).TagRequest(tagsRequest(description))
		},
		destroy: func(id int32) deletion { return api.ExtrasAPI.ExtrasTagsDestroy(background, id) },
	})

	vrfsRequest := func(description string) netbox.VRFRequest {
		body := netbox.NewVRFRequest(name)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "vrfs", operations[netbox.VRF, netbox.PaginatedVRFList]{
		create: func() request[netbox.VRF] {
			return api.IpamAPI.IpamVrfsCreate(background).VRFRequest(vrfsRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedVRFList] {
			return api.IpamAPI.IpamVrfsList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.VRF] {
			return api.IpamAPI.IpamVrfsRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.VRF] {
			body := netbox.NewPatchedVRFRequest()
			body.SetDescription(description)
			return api.IpamAPI.IpamVrfsPartialUpdate(background, id).PatchedVRFRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.VRF] {
			return api.IpamAPI.IpamVrfsUpdate(background, id).VRFRequest(vrfsRequest(description))
		},
		destroy: func(id int32) deletion { return api.IpamAPI.IpamVrfsDestroy(background, id) },
	})

	routeTargetsRequest := func(description string) netbox.RouteTargetRequest {
		body := netbox.NewRouteTargetRequest("65500:99")
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "routeTargets", operations[netbox.RouteTarget, netbox.PaginatedRouteTargetList]{
		create: func() request[netbox.RouteTarget] {
			return api.IpamAPI.IpamRouteTargetsCreate(background).RouteTargetRequest(routeTargetsRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedRouteTargetList] {
			return api.IpamAPI.IpamRouteTargetsList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.RouteTarget] {
			return api.IpamAPI.IpamRouteTargetsRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.RouteTarget] {
			body := netbox.NewPatchedRouteTargetRequest()
			body.SetDescription(description)
			return api.IpamAPI.IpamRouteTargetsPartialUpdate(background, id).PatchedRouteTargetRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.RouteTarget] {
			return api.IpamAPI.IpamRouteTargetsUpdate(background, id).RouteTargetRequest(routeTargetsRequest(description))
		},
		destroy: func(id int32) deletion { return api.IpamAPI.IpamRouteTargetsDestroy(background, id) },
	})

	rirsRequest := func(description string) netbox.RIRRequest {
		body := netbox.NewRIRRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "rirs", operations[netbox.RIR, netbox.PaginatedRIRList]{
		create: func() request[netbox.RIR] {
			return api.IpamAPI.IpamRirsCreate(background).RIRRequest(rirsRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedRIRList] {
			return api.IpamAPI.IpamRirsList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.RIR] {
			return api.IpamAPI.IpamRirsRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.RIR] {
			body := netbox.NewPatchedRIRRequest()
			body.SetDescription(description)
			return api.IpamAPI.IpamRirsPartialUpdate(background, id).PatchedRIRRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.RIR] {
			return api.IpamAPI.IpamRirsUpdate(background, id).RIRRequest(rirsRequest(description))
		},
		destroy: func(id int32) deletion { return api.IpamAPI.IpamRirsDestroy(background, id) },
	})

	aggregatesRequest := func(description string) netbox.WritableAggregateRequest {
		body := netbox.NewWritableAggregateRequest(
			"198.52.0.0/16", netbox.Int32AsASNRangeRequestRir(&p.rir))
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "aggregates", operations[netbox.Aggregate, netbox.PaginatedAggregateList]{
		create: func() request[netbox.Aggregate] {
			return api.IpamAPI.IpamAggregatesCreate(background).WritableAggregateRequest(aggregatesRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedAggregateList] {
			return api.IpamAPI.IpamAggregatesList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Aggregate] {
			return api.IpamAPI.IpamAggregatesRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Aggregate] {
			body := netbox.NewPatchedWritableAggregateRequest()
			body.SetDescription(description)
			return api.IpamAPI.IpamAggregatesPartialUpdate(background, id).PatchedWritableAggregateRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Aggregate] {
			return api.IpamAPI.IpamAggregatesUpdate(background, id).WritableAggregateRequest(aggregatesRequest(description))
		},
		destroy: func(id int32) deletion { return api.IpamAPI.IpamAggregatesDestroy(background, id) },
	})

	prefixesRequest := func(description string) netbox.WritablePrefixRequest {
		body := netbox.NewWritablePrefixRequest("198.51.7.0/24")
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "prefixes", operations[netbox.Prefix, netbox.PaginatedPrefixList]{
		create: func() request[netbox.Prefix] {
			return api.IpamAPI.IpamPrefixesCreate(background).WritablePrefixRequest(prefixesRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedPrefixList] {
			return api.IpamAPI.IpamPrefixesList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Prefix] {
			return api.IpamAPI.IpamPrefixesRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Prefix] {
			body := netbox.NewPatchedWritablePrefixRequest()
			body.SetDescription(description)
			return api.IpamAPI.IpamPrefixesPartialUpdate(background, id).PatchedWritablePrefixRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Prefix] {
			return api.IpamAPI.IpamPrefixesUpdate(background, id).WritablePrefixRequest(prefixesRequest(description))
		},
		destroy: func(id int32) deletion { return api.IpamAPI.IpamPrefixesDestroy(background, id) },
	})

	ipAddressesRequest := func(description string) netbox.WritableIPAddressRequest {
		body := netbox.NewWritableIPAddressRequest("198.51.7.9/24")
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "ipAddresses", operations[netbox.IPAddress, netbox.PaginatedIPAddressList]{
		create: func() request[netbox.IPAddress] {
			return api.IpamAPI.IpamIpAddressesCreate(background).WritableIPAddressRequest(ipAddressesRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedIPAddressList] {
			return api.IpamAPI.IpamIpAddressesList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.IPAddress] {
			return api.IpamAPI.IpamIpAddressesRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.IPAddress] {
			body := netbox.NewPatchedWritableIPAddressRequest()
			body.SetDescription(description)
			return api.IpamAPI.IpamIpAddressesPartialUpdate(background, id).PatchedWritableIPAddressRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.IPAddress] {
			return api.IpamAPI.IpamIpAddressesUpdate(background, id).WritableIPAddressRequest(ipAddressesRequest(description))
		},
		destroy: func(id int32) deletion { return api.IpamAPI.IpamIpAddressesDestroy(background, id) },
	})

	vlansRequest := func(description string) netbox.WritableVLANRequest {
		body := netbox.NewWritableVLANRequest(4001, name)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "vlans", operations[netbox.VLAN, netbox.PaginatedVLANList]{
		create: func() request[netbox.VLAN] {
			return api.IpamAPI.IpamVlansCreate(background).WritableVLANRequest(vlansRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedVLANList] {
			return api.IpamAPI.IpamVlansList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.VLAN] {
			return api.IpamAPI.IpamVlansRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.VLAN] {
			body := netbox.NewPatchedWritableVLANRequest()
			body.SetDescription(description)
			return api.IpamAPI.IpamVlansPartialUpdate(background, id).PatchedWritableVLANRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.VLAN] {
			return api.IpamAPI.IpamVlansUpdate(background, id).WritableVLANRequest(vlansRequest(description))
		},
		destroy: func(id int32) deletion { return api.IpamAPI.IpamVlansDestroy(background, id) },
	})

	clustersRequest := func(description string) netbox.WritableClusterRequest {
		body := netbox.NewWritableClusterRequest(
			name, netbox.Int32AsClusterRequestType(&p.clusterType))
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "clusters", operations[netbox.Cluster, netbox.PaginatedClusterList]{
		create: func() request[netbox.Cluster] {
			return api.VirtualizationAPI.VirtualizationClustersCreate(background).WritableClusterRequest(clustersRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedClusterList] {
			return api.VirtualizationAPI.VirtualizationClustersList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Cluster] {
			return api.VirtualizationAPI.VirtualizationClustersRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Cluster] {
			body := netbox.NewPatchedWritableClusterRequest()
			body.SetDescription(description)
			return api.VirtualizationAPI.VirtualizationClustersPartialUpdate(background, id).PatchedWritableClusterRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Cluster] {
			return api.VirtualizationAPI.VirtualizationClustersUpdate(background, id).WritableClusterRequest(clustersRequest(description))
		},
		destroy: func(id int32) deletion { return api.VirtualizationAPI.VirtualizationClustersDestroy(background, id) },
	})

	virtualMachinesRequest := func(description string) netbox.WritableVirtualMachineWithConfigContextRequest {
		body := netbox.NewWritableVirtualMachineWithConfigContextRequest(name)
		body.SetSite(netbox.Int32AsPatchedWritableVLANRequestSite(&p.site))
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "virtualMachines", operations[netbox.VirtualMachineWithConfigContext, netbox.PaginatedVirtualMachineWithConfigContextList]{
		create: func() request[netbox.VirtualMachineWithConfigContext] {
			return api.VirtualizationAPI.VirtualizationVirtualMachinesCreate(background).WritableVirtualMachineWithConfigContextRequest(virtualMachinesRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedVirtualMachineWithConfigContextList] {
			return api.VirtualizationAPI.VirtualizationVirtualMachinesList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.VirtualMachineWithConfigContext] {
			return api.VirtualizationAPI.VirtualizationVirtualMachinesRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.VirtualMachineWithConfigContext] {
			body := netbox.NewPatchedWritableVirtualMachineWithConfigContextRequest()
			body.SetDescription(description)
			return api.VirtualizationAPI.VirtualizationVirtualMachinesPartialUpdate(background, id).PatchedWritableVirtualMachineWithConfigContextRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.VirtualMachineWithConfigContext] {
			return api.VirtualizationAPI.VirtualizationVirtualMachinesUpdate(background, id).WritableVirtualMachineWithConfigContextRequest(virtualMachinesRequest(description))
		},
		destroy: func(id int32) deletion {
			return api.VirtualizationAPI.VirtualizationVirtualMachinesDestroy(background, id)
		},
	})

	providersRequest := func(description string) netbox.ProviderRequest {
		body := netbox.NewProviderRequest(name, slug)
		body.SetDescription(description)
		return *body
	}
	lifecycle(t, "providers", operations[netbox.Provider, netbox.PaginatedProviderList]{
		create: func() request[netbox.Provider] {
			return api.CircuitsAPI.CircuitsProvidersCreate(background).ProviderRequest(providersRequest("created"))
		},
		list: func(id int32) request[netbox.PaginatedProviderList] {
			return api.CircuitsAPI.CircuitsProvidersList(background).Id([]int32{id})
		},
		retrieve: func(id int32) request[netbox.Provider] {
			return api.CircuitsAPI.CircuitsProvidersRetrieve(background, id)
		},
		change: func(id int32, description string) request[netbox.Provider] {
			body := netbox.NewPatchedProviderRequest()
			body.SetDescription(description)
			return api.CircuitsAPI.CircuitsProvidersPartialUpdate(background, id).PatchedProviderRequest(*body)
		},
		replace: func(id int32, description string) request[netbox.Provider] {
			return api.CircuitsAPI.CircuitsProvidersUpdate(background, id).ProviderRequest(providersRequest(description))
		},
		destroy: func(id int32) deletion { return api.CircuitsAPI.CircuitsProvidersDestroy(background, id) },
	})
}
