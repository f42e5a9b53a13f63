import { requestErrorText } from '../components/api-request.client.ts'
import { makeButton } from '../components/button.client.ts'
import { type SavedPlace, savePlace } from '../components/saved-place.client.ts'
import { translated } from '../components/translated.client.ts'
import { Move, placeName, type Target } from './rack-move.client.ts'
import { type DeviceElement, faceBox, movableDevicesIn, type RackElement, racksIn } from './rack-page.client.ts'
import { fits, positionAt, unitsBelowTop } from './rack-space.client.ts'

/** Parts of the page that change when a device has been moved. */
const CHANGING = ['.racks', '.rack-legend', '.rack-utilization'] as const

/**
 * Moves devices between units, racks and the tray: by mouse, by keyboard, and by touching the handle of a device and
 * then a free unit. Without this script, a device's form contains its place.
 */
class RackElevation {
  readonly #island: HTMLElement
  #racks: readonly RackElement[] = []
  #devices: readonly DeviceElement[] = []
  #move: Move | undefined

  constructor(island: HTMLElement) {
    this.#island = island
    this.#prepare()
    island.addEventListener('dragstart', (event) => this.#dragStart(event))
    island.addEventListener('dragover', (event) => this.#dragOver(event))
    island.addEventListener('drop', (event) => this.#drop(event))
    island.addEventListener('dragend', () => {
      if (this.#move && !this.#move.isSaving) this.#cancel()
    })
    island.addEventListener('click', (event) => this.#clickUnit(event))
  }

  #prepare(): void {
    this.#racks = racksIn(this.#island)
    this.#devices = movableDevicesIn(this.#island)
    for (const device of this.#devices) {
      device.element.draggable = true
      // The browser would otherwise drag these instead of the device.
      for (const inner of device.element.querySelectorAll('a, img')) {
        inner.setAttribute('draggable', 'false')
      }
      device.element.querySelector('.mounted')?.append(this.#handleOf(device))
    }
  }

  #handleOf(device: DeviceElement): HTMLElement {
    const handle = makeButton('⠿', () => this.#useHandle(device))
    handle.className = 'rack-move'
    handle.setAttribute('aria-label', translated('Move {device}', { device: device.label }))
    handle.setAttribute('aria-pressed', 'false')
    handle.addEventListener('keydown', (event) => {
      if (this.#move && this.#key(this.#move, event.key)) event.preventDefault()
    })
    return handle
  }

  /** Starts to move the device, or ends the move in progress. */
  #useHandle(device: DeviceElement): void {
    if (this.#move?.device === device) this.#finish()
    else if (this.#move) this.#cancel()
    else this.#begin(device, 0).aimNear()
  }

  #key(move: Move, key: string): boolean {
    const moved = {
      ArrowUp: () => move.step(-1),
      ArrowDown: () => move.step(1),
      ArrowLeft: () => move.stepAside(-1),
      ArrowRight: () => move.stepAside(1),
    }[key]
    if (moved) this.#say(moved() ? move.text : translated('No free place in this direction.'))
    else if (key === 'Escape') this.#cancel()
    else return false
    return true
  }

  #begin(device: DeviceElement, grip: number): Move {
    this.#closeProblems()
    this.#move = new Move(device, this.#racks, grip)
    this.#island.classList.add('is-moving')
    this.#say(
      translated('Moving {device}: choose a free unit, or use arrow keys and Enter.', {
        device: device.label,
      }),
    )
    return this.#move
  }

  #end(): void {
    this.#move?.end()
    this.#move = undefined
    this.#island.classList.remove('is-moving')
  }

  #cancel(): void {
    const device = this.#move?.device.label ?? ''
    this.#end()
    this.#say(translated('{device} stays where it is.', { device }))
  }

  /** Saves the chosen place. */
  #finish(): void {
    const { device, target } = this.#move ?? {}
    if (!device || !target || isAlreadyAt(device, target)) this.#cancel()
    else if (fits(device, target)) void this.#save(device, bodyOf(device, target), target)
    else {
      this.#end()
      this.#problem(
        target,
        translated('{device} needs {height} free units there.', {
          device: device.label,
          height: device.height,
        }),
      )
    }
  }

  /** Saves a place. If the move is refused, the reason is shown there, and the device stays where it was. */
  async #save(device: DeviceElement, place: Partial<SavedPlace>, target: Target | undefined): Promise<void> {
    this.#move?.showSaving()
    this.#say(translated('Saving {device} …', { device: device.label }))
    try {
      const before = await savePlace(device.device, place)
      this.#end()
      await this.#refresh()
      this.#focus(device.device)
      const isUndone = target === undefined && place.position !== null
      this.#say(
        savedText(device.label, place, target),
        isUndone ? undefined : () => void this.#save(device, before, undefined),
      )
    } catch (error) {
      this.#end()
      if (target) this.#problem(target, requestErrorText(error))
      else this.#say(requestErrorText(error))
    }
  }

  /** Shows the state in the service. */
  async #refresh(): Promise<void> {
    const response = await fetch(location.href, { cache: 'no-store' })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    for (const part of CHANGING) {
      const fresh = page.querySelector(part)
      if (fresh) document.querySelector(part)?.replaceWith(document.adoptNode(fresh))
    }
    this.#prepare()
  }

  #focus(id: number): void {
    const moved = this.#devices.find(({ device }) => device === id)
    moved?.element.querySelector<HTMLElement>('.rack-move')?.focus()
  }

  #dragStart(event: DragEvent): void {
    const device = this.#devices.find(({ element }) => element === event.target)
    if (!device || !event.dataTransfer) return
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', device.label)
    const box = device.element.getBoundingClientRect()
    const grip = Math.floor(((event.clientY - box.top) / box.height) * device.height)
    // A device from the tray is held by its upper edge.
    if (this.#move) this.#end()
    this.#begin(device, device.position === undefined ? 0 : grip)
  }

  #dragOver(event: DragEvent): void {
    if (!this.#move) return
    this.#move.aim(isInTray(event) ? undefined : this.#placeUnder(this.#move, event))
    if (isInTray(event) || this.#move.target) event.preventDefault()
    if (this.#move.target) this.#say(this.#move.text)
  }

  #drop(event: DragEvent): void {
    event.preventDefault()
    const device = this.#move?.device
    if (!device) return
    if (!isInTray(event)) this.#finish()
    else if (device.position === undefined) this.#cancel()
    else void this.#save(device, { position: null, face: null }, undefined)
  }

  /** While a device is being moved, a free unit is a destination instead of a link to a form. */
  #clickUnit(event: MouseEvent): void {
    if (!this.#move || !(event.target instanceof Element)) return
    if (!event.target.closest('[data-free]')) return
    event.preventDefault()
    this.#move.aim(this.#placeUnder(this.#move, event))
    this.#finish()
  }

  /** The place under the pointer, on a face of a rack. */
  #placeUnder({ device, grip }: Move, event: MouseEvent): Target | undefined {
    if (!(event.target instanceof Element)) return undefined
    const element = event.target.closest('[data-rack]')
    const rack = this.#racks.find((rack) => rack.element === element)
    if (!rack) return undefined
    const corner = rack.element.getBoundingClientRect()
    const [x, y] = [event.clientX - corner.left, event.clientY - corner.top]
    const boxes = rack.faces.map((face) => ({ face, ...faceBox(rack, face) }))
    const box = boxes.find(({ left, width }) => x >= left && x < left + width)
    if (!box || y < box.top) return undefined
    const step = device.height % 1 === 0 ? 1 : 0.5
    const below = Math.floor((y - box.top) / box.unit / step) * step - grip
    return { rack, face: box.face, position: positionAt(rack, below, device.height) }
  }

  #problem(target: Target, text: string): void {
    const notice = document.createElement('p')
    notice.className = 'rack-problem notice bad'
    notice.setAttribute('role', 'alert')
    notice.append(
      text,
      ' ',
      makeButton(translated('Close'), () => this.#closeProblems()),
    )
    const { top, unit } = faceBox(target.rack, target.face)
    notice.style.top = `${top + unitsBelowTop(target.rack, target.position, 1) * unit}px`
    target.rack.element.append(notice)
    this.#say(translated('Not saved.'))
  }

  #closeProblems(): void {
    for (const notice of this.#island.querySelectorAll('.rack-problem')) notice.remove()
  }

  #say(text: string, undo?: () => void): void {
    const status = this.#island.querySelector('.rack-status')
    const words = document.createElement('span')
    words.textContent = text
    status?.replaceChildren(words)
    if (undo) status?.append(makeButton(translated('Undo'), undo))
  }
}

/** The device's position after the save; without a target, its own position again, or none. */
function savedText(device: string, { position }: Partial<SavedPlace>, target: Target | undefined): string {
  if (position === null) return translated('{device} is no longer mounted.', { device })
  return target
    ? translated('Moved {device} to {place}.', { device, place: placeName(target) })
    : translated('{device} is back in its saved position.', { device })
}

const isInTray = ({ target }: Event): boolean => target instanceof Element && target.closest('.tray') !== null

const isAlreadyAt = (device: DeviceElement, { rack, position, face }: Target): boolean =>
  isIn(device, rack) && device.position === position && device.face === face

const isIn = ({ element }: DeviceElement, rack: RackElement): boolean => element.closest('[data-rack]') === rack.element

/** The changed fields; rack and site only if the rack has changed. */
const bodyOf = (device: DeviceElement, { rack, position, face }: Target): Partial<SavedPlace> =>
  isIn(device, rack)
    ? { position, face }
    : { site: rack.site, location: rack.location ?? null, rack: rack.id, position, face }

for (const island of document.querySelectorAll<HTMLElement>('[data-island="rack-elevation"]')) {
  if (island.dataset.mayMove === 'true') new RackElevation(island)
}
