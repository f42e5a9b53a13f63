import { apiRequest } from './api-request.client.ts'

/** A device's place in the form of an API body. */
export interface SavedPlace {
  readonly site: number
  readonly location: number | null
  readonly rack: number | null
  readonly position: number | null
  readonly face: string | null
}

interface StoredPlace {
  readonly site: { readonly id: number }
  readonly location: { readonly id: number } | null
  readonly rack: { readonly id: number } | null
  readonly position: number | null
  readonly face: { readonly value: string } | null
}

/** Changes a device's place. The response contains the previous place. Throws `RequestRefused`. */
export async function savePlace(device: number, place: Partial<SavedPlace>): Promise<SavedPlace> {
  const path = `/api/dcim/devices/${device}/`
  const before = await apiRequest<StoredPlace>('GET', `${path}?fields=site,location,rack,position,face`)
  await apiRequest('PATCH', path, { body: place })
  return {
    site: before.site.id,
    location: before.location?.id ?? null,
    rack: before.rack?.id ?? null,
    position: before.position,
    face: before.face?.value || null,
  }
}
