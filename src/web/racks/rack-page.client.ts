import type { Mover, Occupant, Rack, RackFace } from './rack-space.client.ts'

// Racks and devices of the page, read from its elements.

/** A rack with its elements. */
export interface RackElement extends Rack {
  readonly element: HTMLElement
  readonly faces: readonly RackFace[]
}

/** A device that can be moved, with its element. */
export interface DeviceElement extends Mover {
  readonly element: HTMLElement
  readonly label: string
  /** Undefined for a device of the tray. */
  readonly position: number | undefined
  readonly face: RackFace
}

const faceNamed = (name: string | undefined): RackFace | undefined =>
  name === 'front' || name === 'rear' ? name : undefined

const isTrue = (text: string | undefined): boolean => text === 'true'

/** The racks of the page, from left to right. */
export const racksIn = (island: HTMLElement): readonly RackElement[] =>
  [...island.querySelectorAll<HTMLElement>('[data-rack]')].map((element) => {
    const { rack, name, site, location, units, first, descending } = element.dataset
    return {
      element,
      id: Number(rack),
      name: name ?? '',
      site: Number(site),
      location: location ? Number(location) : undefined,
      units: Number(units),
      first: Number(first),
      isDescending: isTrue(descending),
      occupants: occupantsOf(element),
      faces: [...element.querySelectorAll<HTMLElement>('thead [data-face]')].map(
        (head) => faceNamed(head.dataset.face) ?? 'front',
      ),
    }
  })

const occupantsOf = (rack: HTMLElement): readonly Occupant[] =>
  [...rack.querySelectorAll<HTMLElement>('td[data-device]')].map(({ dataset }) => ({
    device: Number(dataset.device),
    position: Number(dataset.position),
    height: Number(dataset.height),
    face: isTrue(dataset.fullDepth) ? undefined : faceNamed(dataset.face),
  }))

/** The devices of racks and tray. Devices that the viewer may not view have no id and cannot be moved. */
export const movableDevicesIn = (island: HTMLElement): readonly DeviceElement[] =>
  [...island.querySelectorAll<HTMLElement>('[data-device]:not([data-device="0"])')].map((element) => {
    const { device, label, height, fullDepth, position, face } = element.dataset
    return {
      element,
      device: Number(device),
      label: label ?? '',
      height: Number(height),
      isFullDepth: isTrue(fullDepth),
      position: position ? Number(position) : undefined,
      face: faceNamed(face) ?? 'front',
    }
  })

/** The rectangle of a face in its rack, and the height of a unit, in pixels from the rack's corner. */
export function faceBox(
  rack: RackElement,
  face: RackFace,
): { readonly left: number; readonly top: number; readonly width: number; readonly unit: number } {
  const head = rack.element.querySelector<HTMLElement>(`thead [data-face="${face}"]`)
  const body = rack.element.querySelector('tbody')
  const corner = rack.element.getBoundingClientRect()
  const column = head?.getBoundingClientRect() ?? corner
  const rows = body?.getBoundingClientRect() ?? corner
  return {
    left: column.left - corner.left,
    top: rows.top - corner.top,
    width: column.width,
    unit: rows.height / rack.units,
  }
}
