/**
 * A script that sets up a branch office: a site, its switches, and a prefix. docs/use/scripts.md explains how to run it.
 * Everything is one transaction: where any step fails, or without `commit`, nothing is left behind.
 */
export const name = 'New site'
export const description = 'Creates a site with its switches and a prefix'

export const variables = {
  site: { type: 'string', description: 'Name of the new site', maxLength: 100 },
  tenant: { type: 'object', model: 'tenancy.tenant', required: false },
  device_type: { type: 'object', model: 'dcim.devicetype' },
  role: { type: 'object', model: 'dcim.devicerole' },
  switches: { type: 'integer', min: 1, max: 48, default: 2 },
  prefix: { type: 'ipNetwork', required: false },
}

interface Created {
  readonly id: number
  readonly display: string
  readonly url: string
}

interface Context {
  readonly data: {
    readonly site: string
    readonly tenant: number | null
    readonly device_type: number
    readonly role: number
    readonly switches: number
    readonly prefix: string | null
  }
  readonly commit: boolean
  readonly api: { post(path: string, body: unknown): Promise<Created> }
  readonly log: Readonly<Record<'info' | 'success', (message: string, object?: unknown) => void>>
  readonly abort: (reason: string) => never
}

export async function run({ data, api, log, abort }: Context): Promise<string> {
  const slug = data.site.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  if (slug === '-') abort('The name of the site needs a letter or a digit')
  const { tenant, device_type, role } = data
  const site = await api.post('dcim/sites/', { name: data.site, slug, tenant })
  log.success(`Created the site ${site.display}`, site)
  for (let number = 1; number <= data.switches; number++) {
    const name = `${slug}-sw${number}`
    const device = await api.post('dcim/devices/', {
      name,
      site: site.id,
      device_type,
      role,
      tenant,
    })
    log.success(`Created ${device.display}`, device)
  }
  if (data.prefix !== null) {
    const scope = { scope_type: 'dcim.site', scope_id: site.id }
    log.success('Created the prefix', await api.post('ipam/prefixes/', { prefix: data.prefix, ...scope, tenant }))
  }
  return `${data.switches} switches at ${data.site}`
}
