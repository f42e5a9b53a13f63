import type { Batch } from './batch.ts'
import { type Plan, VLANS_IN_SITE } from './plan.ts'
import { privateAddress } from './private-address.ts'

/** A /16 with sixteen /20, each of which contains sixteen /24. */
const PREFIXES_IN_BLOCK = 1 + 16 * (1 + 16)

/** VRFs, VLANs and prefixes: the sites' prefixes in no VRF, and a tree of four levels in each VRF. */
export function* networks(plan: Plan): Generator<Batch> {
  const { prefixes } = plan.sizes
  yield plan.batch('ipam.rir', 1, (_, id) => ({
    name: `Private ${id}`,
    slug: `private-${id}`,
    is_private: true,
  }))
  yield plan.batch('ipam.vrf', plan.vrfs, (_, id) => ({ name: `VRF ${id}`, rd: `65000:${id}` }))
  yield plan.batch('ipam.vlangroup', plan.sites, (index, id) => ({
    name: `VLANs ${id}`,
    slug: `vlans-${id}`,
    scope_type: 'dcim.site',
    scope_id: plan.id('dcim.site', index),
  }))
  yield plan.batch('ipam.vlan', plan.sites * VLANS_IN_SITE, (index) => ({
    vid: 100 + (index % VLANS_IN_SITE),
    name: `vlan-${100 + (index % VLANS_IN_SITE)}`,
    group: plan.siteOf(index, VLANS_IN_SITE, 'ipam.vlangroup'),
    site: plan.siteOf(index, VLANS_IN_SITE),
    status: 'active',
  }))
  yield plan.batch('ipam.prefix', prefixes, (index) =>
    index < plan.sitePrefixes ? sitePrefix(plan, index) : vrfPrefix(plan, index - plan.sitePrefixes),
  )
}

/** The root prefix, one /22 for each site, and its four quarters. */
function sitePrefix(plan: Plan, index: number): Readonly<Record<string, unknown>> {
  if (index === 0) return { prefix: '10.0.0.0/8', status: 'container' }
  const site = Math.floor((index - 1) / 5)
  const part = (index - 1) % 5
  const scope = { scope_type: 'dcim.site', scope_id: plan.id('dcim.site', site) }
  if (part === 0) {
    return { prefix: `${privateAddress(site * 1024)}/22`, status: 'container', ...scope }
  }
  return {
    prefix: `${privateAddress(site * 1024 + (part - 1) * 256)}/24`,
    status: 'active',
    vlan: plan.id('ipam.vlan', site * VLANS_IN_SITE + part),
    tenant: plan.any('tenancy.tenant', plan.tenants),
    ...scope,
  }
}

/** Prefixes rotate over the VRFs; in each VRF the tree grows /16 by /16 from the start of 10.0.0.0/8. */
function vrfPrefix(plan: Plan, index: number): Readonly<Record<string, unknown>> {
  const vrf = plan.id('ipam.vrf', index % plan.vrfs)
  const place = Math.floor(index / plan.vrfs)
  if (place === 0) return { prefix: '10.0.0.0/8', status: 'container', vrf }
  const start = Math.floor((place - 1) / PREFIXES_IN_BLOCK) * 0x1_0000
  const inBlock = (place - 1) % PREFIXES_IN_BLOCK
  if (inBlock === 0) return { prefix: `${privateAddress(start)}/16`, status: 'container', vrf }
  const part = Math.floor((inBlock - 1) / 17)
  const inPart = (inBlock - 1) % 17
  if (inPart === 0) {
    return { prefix: `${privateAddress(start + part * 4096)}/20`, status: 'container', vrf }
  }
  return {
    prefix: `${privateAddress(start + part * 4096 + (inPart - 1) * 256)}/24`,
    status: 'active',
    tenant: plan.random.oneIn(3) ? null : plan.any('tenancy.tenant', plan.tenants),
    vrf,
  }
}
