import { type ApiRequest, readerOf, sql, table } from 'cadastre'
import type { Coordinates } from './projection.ts'
import { SITE } from './site-map-link.ts'

/** Maximum number of sites on a map. */
export const MOST_SITES = 5_000

/** A site with coordinates, and what the sender may view of it. */
export interface PlacedSite extends Coordinates {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly region: { readonly id: number; readonly name: string } | undefined
  readonly devices: number
}

/** The sites that the sender may view and that the filters select. */
export interface SitesOnMap {
  /** Those with coordinates, ordered by name: at most `MOST_SITES`. */
  readonly placed: readonly PlacedSite[]
  /** Number of all sites. */
  readonly count: number
  /** Numbers of sites without latitude, without longitude, and without at least one of them. */
  readonly without: { readonly latitude: number; readonly longitude: number; readonly any: number }
}

/** The sites that the filters select. Throws `invalid` for filters that cannot be used. */
export async function sitesOnMap(request: ApiRequest, filters: URLSearchParams): Promise<SitesOnMap> {
  const reader = readerOf(request)
  const where = (await reader.condition(SITE, filters)) ?? sql`true`
  const [rows, [counts = []]] = await Promise.all([
    reader.rows(sql`
      select t.id, t.name, t.status, t.latitude::float8, t.longitude::float8, r.id, r.name,
        (select count(*) from ${table('dcim.device')} d where d.site_id = t.id)
      from ${table('dcim.site')} t
      left join ${table('dcim.region')} r on r.id = t.region_id
      where t.latitude is not null and t.longitude is not null and ${where}
      order by t.name, t.id limit ${MOST_SITES}::bigint`),
    reader.rows(sql`
      select count(*), count(*) filter (where t.latitude is null), count(*) filter (where t.longitude is null),
        count(*) filter (where t.latitude is null or t.longitude is null)
      from ${table('dcim.site')} t where ${where}`),
  ])
  const [count, latitude, longitude, any] = counts
  return {
    placed: rows.map(([id, name, status, north, east, regionId, region, devices]) => ({
      ...{ id: Number(id), name: String(name), status: String(status), devices: Number(devices) },
      ...{ latitude: Number(north), longitude: Number(east) },
      region: regionId === null ? undefined : { id: Number(regionId), name: String(region) },
    })),
    count: Number(count),
    without: { latitude: Number(latitude), longitude: Number(longitude), any: Number(any) },
  }
}
