const ISSUE_3 = `
  dcim/regions dcim/site-groups dcim/sites dcim/locations dcim/rack-roles dcim/rack-types dcim/racks
  dcim/rack-reservations dcim/manufacturers dcim/device-types dcim/device-roles dcim/platforms dcim/devices
  dcim/interfaces dcim/mac-addresses dcim/virtual-chassis
  ipam/rirs ipam/aggregates ipam/asns ipam/roles ipam/vrfs ipam/route-targets ipam/prefixes ipam/ip-ranges
  ipam/ip-addresses ipam/vlan-groups ipam/vlans
  tenancy/tenant-groups tenancy/tenants
  circuits/providers circuits/circuit-types circuits/circuits
  virtualization/cluster-types virtualization/cluster-groups virtualization/clusters
  virtualization/virtual-machines virtualization/interfaces
  extras/tags extras/custom-fields extras/custom-field-choice-sets extras/config-contexts
  extras/image-attachments extras/object-changes core/object-changes
  users/users users/groups users/permissions users/tokens users/owners users/owner-groups
  status authentication-check schema`

/**
 * Named lists of resources. Application roots (`/api/dcim/`) belong to none, because their responses contain every
 * resource of the application.
 */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  issue3: ISSUE_3.trim().split(/\s+/),
}

/** The resources of a named list, or of a comma-separated one. */
export function resourceList(text: string): ReadonlySet<string> {
  return new Set(NAMED[text] ?? text.split(',').map((name) => name.trim()))
}

/**
 * The resource of a path: `dcim/sites`, or one word directly below the API or the server (`status`, `dcim`, `api`,
 * `media`).
 */
export function resourceOf(path: string): string {
  const parts = (path.replace(/^\{base\}/, '').split('?')[0] ?? '').split('/').filter(Boolean)
  if (parts[0] !== 'api') return parts[0] ?? 'root'
  const [, app, endpoint] = parts
  if (app === undefined) return 'api'
  return endpoint === undefined ? app : `${app}/${endpoint}`
}

/** Whether a resource is a collection and not a root or a page of the service. */
export function isCollection(resource: string): boolean {
  return resource.includes('/')
}
