import type { Batch } from './batch.ts'
import { customValues } from './organisation.ts'
import { type Plan, RACKS_IN_SITE } from './plan.ts'

export const COUNTRIES = ['North', 'East', 'South', 'West', 'Centre']
const CITIES = COUNTRIES.length * 8

/** Places of devices: two levels of regions, sites, rooms, racks. */
export function* places(plan: Plan): Generator<Batch> {
  yield plan.batch('dcim.region', COUNTRIES.length + CITIES, (index, id) =>
    index < COUNTRIES.length
      ? { name: `${COUNTRIES[index]} ${id}`, slug: `country-${id}` }
      : {
          name: `City ${id}`,
          slug: `city-${id}`,
          parent: plan.id('dcim.region', index % COUNTRIES.length),
        },
  )
  yield plan.batch('dcim.site', plan.sites, (_, id) => ({
    name: `Site ${id}`,
    slug: `site-${id}`,
    status: 'active',
    region: plan.id('dcim.region', COUNTRIES.length + plan.random.below(CITIES)),
    tenant: plan.any('tenancy.tenant', plan.tenants),
    physical_address: `${1 + plan.random.below(99)} Harbour Road`,
    custom_fields: customValues(plan),
  }))
  yield plan.batch('dcim.location', plan.sites * 2, (index, id) => ({
    name: `Room ${1 + (index % 2)}`,
    slug: `room-${id}`,
    site: plan.siteOf(index, 2),
  }))
  yield plan.batch('dcim.rack', plan.racks, (index, id) => ({
    name: `R${id}`,
    site: plan.siteOf(index, RACKS_IN_SITE),
    location: plan.locationOfRack(index),
    status: 'active',
    u_height: 42,
  }))
}
