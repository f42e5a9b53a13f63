import type { Api } from '../support/api.ts'

export interface Places {
  readonly site: number
  readonly manufacturer: number
  readonly deviceType: number
  /** Creates a device of the type, at the site unless `more` names another one. */
  device(name: string, more?: object): Promise<number>
}

let places = 0

/** Creates a site, a device type and a role with unique names. */
export async function makePlaces(api: Api): Promise<Places> {
  places += 1
  const named = { name: `Place ${places}`, slug: `place-${places}` }
  const site = await api.make('dcim/sites', named)
  const manufacturer = await api.make('dcim/manufacturers', named)
  const role = await api.make('dcim/device-roles', named)
  const deviceType = await api.make('dcim/device-types', { manufacturer, model: named.name, slug: named.slug })
  return {
    ...{ site, manufacturer, deviceType },
    device: (name, more) => api.make('dcim/devices', { name, site, role, device_type: deviceType, ...more }),
  }
}
