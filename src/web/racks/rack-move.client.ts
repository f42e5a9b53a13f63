import { translated } from '../components/translated.client.ts'
import { type DeviceElement, faceBox, type RackElement } from './rack-page.client.ts'
import { fits, nearestFit, nextFit, type RackFace, type RackPlace, unitsBelowTop } from './rack-space.client.ts'

/** A place, with the rack's element. */
export interface Target extends RackPlace {
  readonly rack: RackElement
}

/** The name of a place as users read it. */
export function placeName({ rack, face, position }: RackPlace): string {
  const isFront = face === 'front'
  return translated(isFront ? '{rack}, U{position}, front' : '{rack}, U{position}, rear', {
    rack: rack.name,
    position,
  })
}

/** A device being moved: shows where it would be placed. */
export class Move {
  readonly device: DeviceElement
  /** Units between the upper edge of the device and the pointer. */
  readonly grip: number
  readonly #racks: readonly RackElement[]
  readonly #ghost = document.createElement('div')
  #target: Target | undefined
  isSaving = false

  constructor(device: DeviceElement, racks: readonly RackElement[], grip: number) {
    this.device = device
    this.grip = grip
    this.#racks = racks
    this.#ghost.className = 'rack-ghost'
    this.#ghost.textContent = device.label
    this.#mark(true)
  }

  get target(): Target | undefined {
    return this.#target
  }

  /** Where the device would be, and whether it fits there. */
  get text(): string {
    if (!this.#target) return translated('{device}: no place chosen', { device: this.device.label })
    const isFree = fits(this.device, this.#target)
    return translated(isFree ? '{device}: {place}' : '{device}: {place}, which is not free', {
      device: this.device.label,
      place: placeName(this.#target),
    })
  }

  /** Shows the device at a place, or nowhere. */
  aim(target: Target | undefined): void {
    this.#target = target
    if (!target) {
      this.#ghost.remove()
      return
    }
    const { rack, face, position } = target
    const { left, top, width, unit } = faceBox(rack, face)
    const { height } = this.device
    Object.assign(this.#ghost.style, {
      left: `${left}px`,
      top: `${top + unitsBelowTop(rack, position, height) * unit}px`,
      width: `${width}px`,
      height: `${height * unit}px`,
    })
    this.#ghost.classList.toggle('bad', !fits(this.device, target))
    rack.element.append(this.#ghost)
  }

  /** Selects the free place nearest to the device's own, or in the first rack. */
  aimNear(): void {
    const from = this.device.element.closest('[data-rack]')
    const rack = this.#racks.find(({ element }) => element === from) ?? this.#racks[0]
    if (!rack) return
    const { height, position = rack.first + rack.units - height } = this.device
    const face = rack.faces.includes(this.device.face) ? this.device.face : rack.faces[0]
    if (face) this.aim(nearest(this.device, { rack, face, position }))
  }

  /** Selects the next free place above (-1) or below (1). False if there is none. */
  step(direction: -1 | 1): boolean {
    if (!this.#target) return false
    const next = nextFit(this.device, this.#target, direction)
    if (!next) return false
    this.aim({ ...next, rack: this.#target.rack })
    this.#ghost.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    return true
  }

  /** Selects the same height on the next face to the left (-1) or right (1). False if it fits on none of them. */
  stepAside(direction: -1 | 1): boolean {
    const target = this.#target
    const columns = this.#racks.flatMap((rack) => rack.faces.map((face: RackFace) => ({ rack, face })))
    const current = columns.findIndex((column) => column.rack === target?.rack && column.face === target.face)
    const candidates = direction < 0 ? columns.slice(0, Math.max(current, 0)).reverse() : columns.slice(current + 1)
    for (const column of candidates) {
      const position = target?.position ?? column.rack.first
      const next = nearest(this.device, { ...column, position })
      if (!next) continue
      this.aim(next)
      this.#ghost.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      return true
    }
    return false
  }

  /** Shows that the place is being saved. */
  showSaving(): void {
    this.isSaving = true
    this.#ghost.classList.add('saving')
  }

  /** Removes what the move shows. */
  end(): void {
    this.#ghost.remove()
    this.#mark(false)
  }

  #mark(isMoving: boolean): void {
    this.device.element.classList.toggle('moving', isMoving)
    const handle = this.device.element.querySelector('.rack-move')
    handle?.setAttribute('aria-pressed', String(isMoving))
  }
}

function nearest(device: DeviceElement, place: Target): Target | undefined {
  const fit = nearestFit(device, place)
  return fit && { ...fit, rack: place.rack }
}
