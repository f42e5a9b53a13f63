/** The editor of a floor plan: tiles are moved with the mouse or the keyboard, and saved together. */
import { apiRequest, requestErrorText } from 'cadastre/client/api-request.client.ts'

interface Tile {
  /** Below 0 for tiles that have not been saved. */
  readonly id: number
  readonly kind: string
  readonly label: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly rotation: number
}

const NUMBERS = ['x', 'y', 'width', 'height'] as const
/** The least value of a field. */
const leastOf = (field: string): number => (field === 'x' || field === 'y' ? 0 : 0.01)

const PATH = '/api/plugins/floorplan/tiles/'
const SVG = 'http://www.w3.org/2000/svg'
/** Steps of the keyboard and of the mouse, in the unit of the plan. */
const FINE = 0.1
const COARSE = 1

for (const section of document.querySelectorAll<HTMLElement>('section[data-plan]')) prepare(section)

function prepare(section: HTMLElement): void {
  const svg = section.querySelector('svg')
  const tools = section.querySelector<HTMLElement>('.plan-tools')
  if (!svg || !tools) return
  const scale = Number(svg.dataset.scale)
  const [planWidth, planHeight] = [Number(svg.dataset.width), Number(svg.dataset.height)]
  let saved: readonly Tile[] = JSON.parse(section.dataset.tiles ?? '[]')
  let steps: (readonly Tile[])[] = [saved]
  let step = 0
  let selected: number | undefined
  let nextId = -1
  let isSaved = false
  const tiles = (): readonly Tile[] => steps[step] ?? []
  const chosen = (): Tile | undefined => tiles().find(({ id }) => id === selected)
  const command = (name: string) => tools.querySelector<HTMLButtonElement>(`[data-command="${name}"]`)
  const status = tools.querySelector('output')
  const form = tools.querySelector<HTMLAnchorElement>('a[data-form]')

  /** The next state; `isSameStep`: in place of the last one, as while a tile is dragged. */
  const change = (next: readonly Tile[], isSameStep = false): void => {
    steps = [...steps.slice(0, isSameStep ? step : step + 1), next]
    step = steps.length - 1
    show()
  }
  const changeChosen = (part: Partial<Tile>, isSameStep = false): void => {
    const tile = chosen()
    if (!tile) return
    const next = { ...tile, ...part }
    const within = (value: number, most: number) =>
      Math.round(Math.min(Math.max(0, value), Math.max(0, most)) * 1000) / 1000
    const placed = { ...next, x: within(next.x, planWidth - next.width), y: within(next.y, planHeight - next.height) }
    change(
      tiles().map((other) => (other.id === tile.id ? placed : other)),
      isSameStep,
    )
  }
  const select = (id: number | undefined): void => {
    selected = id
    show()
  }

  const show = (): void => {
    const group = svg.querySelector('.tiles')
    const current = new Map(tiles().map((tile) => [tile.id, tile]))
    for (const element of group?.querySelectorAll<SVGGElement>('.tile') ?? []) {
      if (!current.has(Number(element.dataset.id))) element.remove()
    }
    for (const tile of current.values()) {
      const present = group?.querySelector<SVGGElement>(`.tile[data-id="${tile.id}"]`)
      const element = present ?? newElement(tile)
      if (!present) group?.append(element)
      const { x, y, width, height, rotation } = tile
      const [w, h] = [width * scale, height * scale]
      element.setAttribute(
        'transform',
        `translate(${Math.round(x * scale)} ${Math.round(y * scale)}) rotate(${rotation} ${w / 2} ${h / 2})`,
      )
      const box = element.querySelector('rect')
      box?.setAttribute('width', String(w))
      box?.setAttribute('height', String(h))
      const text = element.querySelector('text')
      text?.setAttribute('transform', `translate(${w / 2} ${h / 2})${h > w ? ' rotate(-90)' : ''}`)
      if (text && tile.label !== '') text.textContent = tile.label
      element.querySelector('.front')?.setAttribute('d', `M0 ${h}h${w}`)
      element.classList.toggle('selected', tile.id === selected)
    }
    const tile = chosen()
    for (const input of tools.querySelectorAll<HTMLInputElement>('[data-field]')) {
      input.disabled = !tile
      const value = tile && input.dataset.field !== undefined ? String(tile[input.dataset.field as keyof Tile]) : ''
      if (document.activeElement !== input) input.value = value
    }
    // The form links the tile with an object.
    if (form) {
      form.hidden = !tile || tile.id < 0
      const here = encodeURIComponent(location.pathname + location.search)
      form.href = `${form.dataset.form}${tile?.id}/edit/?return_url=${here}`
    }
    for (const [name, isPossible] of Object.entries({
      ...{ rotate: tile !== undefined, remove: tile !== undefined },
      ...{ undo: step > 0, redo: step < steps.length - 1, save: tiles() !== saved },
    })) {
      const button = command(name)
      if (button) button.disabled = !isPossible
    }
  }

  const newElement = ({ id, kind, label }: Tile): SVGGElement => {
    const element = document.createElementNS(SVG, 'g')
    element.setAttribute('class', `tile t-${kind}`)
    element.dataset.id = String(id)
    const text = document.createElementNS(SVG, 'text')
    text.setAttribute('font-size', '14')
    text.textContent = label === '' ? (tools.querySelector(`option[value="${kind}"]`)?.textContent ?? kind) : label
    element.append(document.createElementNS(SVG, 'rect'), text)
    element.setAttribute('tabindex', '0')
    return element
  }

  const add = (kind: string): void => {
    const [width, height] =
      kind === 'rack' ? [0.6, 1] : kind === 'wall' ? [3, 0.2] : kind === 'aisle' ? [4, 1.2] : [0.4, 0.4]
    const tile = { id: nextId, kind, label: '', x: 0, y: 0, width, height, rotation: 0 }
    nextId -= 1
    change([...tiles(), tile])
    select(tile.id)
    svg.querySelector<SVGGElement>(`.tile[data-id="${tile.id}"]`)?.focus()
  }
  const go = (by: number): void => {
    step = Math.min(Math.max(0, step + by), steps.length - 1)
    show()
  }
  const remove = (): void => {
    const rest = tiles().filter(({ id }) => id !== selected)
    selected = undefined
    change(rest)
  }
  const rotate = (): void => changeChosen({ rotation: ((chosen()?.rotation ?? 0) + 90) % 360 })

  const save = async (): Promise<void> => {
    const before = new Map(saved.map((tile) => [tile.id, tile]))
    const present = new Set(tiles().map(({ id }) => id))
    const body = ({ kind, label, x, y, width, height, rotation }: Tile) => ({
      ...{ kind, label, x, y, width, height, rotation: String(rotation) },
    })
    const created = tiles().filter(({ id }) => id < 0)
    const changed = tiles().filter((tile) => tile.id > 0 && before.get(tile.id) !== tile)
    const removed = saved.filter(({ id }) => !present.has(id))
    const floorplan = Number(section.dataset.plan)
    try {
      if (changed.length > 0)
        await apiRequest('PATCH', PATH, { body: changed.map((tile) => ({ id: tile.id, ...body(tile) })) })
      if (removed.length > 0) await apiRequest('DELETE', PATH, { body: removed.map(({ id }) => ({ id })) })
      // If new tiles are refused, the next attempt does not delete the same ones again.
      saved = saved.filter(({ id }) => present.has(id))
      if (created.length > 0)
        await apiRequest('POST', PATH, { body: created.map((tile) => ({ floorplan, ...body(tile) })) })
      isSaved = true
      location.reload()
    } catch (error) {
      if (status) status.textContent = requestErrorText(error)
    }
  }

  const commands: ReadonlyMap<string, () => unknown> = new Map([
    ['rotate', rotate],
    ['remove', remove],
    ['undo', () => go(-1)],
    ['redo', () => go(1)],
    ['save', save],
  ])
  tools.addEventListener('click', (event) => {
    const name = event.target instanceof HTMLElement ? event.target.dataset.command : undefined
    if (name !== undefined) commands.get(name)?.()
  })
  tools.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.value !== '') {
      add(target.value)
      target.value = ''
    }
    if (!(target instanceof HTMLInputElement) || target.dataset.field === undefined) return
    const field = target.dataset.field
    if (field === 'label') changeChosen({ label: target.value })
    else if (NUMBERS.some((name) => name === field) && target.value !== '' && Number(target.value) >= leastOf(field)) {
      changeChosen({ [field]: Number(target.value) })
    }
  })

  const moves: ReadonlyMap<string, readonly [number, number]> = new Map([
    ['ArrowLeft', [-1, 0]],
    ['ArrowRight', [1, 0]],
    ['ArrowUp', [0, -1]],
    ['ArrowDown', [0, 1]],
  ])
  svg.addEventListener('keydown', (event) => {
    const tile = chosen()
    const move = moves.get(event.key)
    const isControl = event.ctrlKey || event.metaKey
    if (move && tile) {
      const by = event.shiftKey ? COARSE : FINE
      changeChosen({ x: tile.x + move[0] * by, y: tile.y + move[1] * by })
    } else if (isControl && event.key.toLowerCase() === 'z') go(event.shiftKey ? 1 : -1)
    else if (isControl && event.key.toLowerCase() === 'y') go(1)
    else if (tile && !isControl && event.key.toLowerCase() === 'r') rotate()
    else if (tile && event.key === 'Delete') remove()
    else return
    event.preventDefault()
  })
  svg.addEventListener('focusin', ({ target }) => {
    const element = target instanceof Element ? target.closest<SVGGElement>('.tile') : null
    if (element) select(Number(element.dataset.id))
  })

  /** A point of the pointer, in the unit of the plan. */
  const pointAt = (event: PointerEvent): DOMPoint => {
    const matrix = svg.getScreenCTM()?.inverse()
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix)
    return new DOMPoint(point.x / scale, point.y / scale)
  }
  let wasDragged = false
  svg.addEventListener('pointerdown', (event) => {
    const element = event.target instanceof Element ? event.target.closest<SVGGElement>('.tile') : null
    if (!element) return select(undefined)
    select(Number(element.dataset.id))
    element.focus()
    const [start, tile] = [pointAt(event), chosen()]
    if (!tile) return
    wasDragged = false
    svg.setPointerCapture(event.pointerId)
    const move = (moved: PointerEvent): void => {
      const point = pointAt(moved)
      const snap = (value: number) => Math.round(value / FINE) * FINE
      const [dx, dy] = [snap(point.x - start.x), snap(point.y - start.y)]
      if (dx === 0 && dy === 0 && !wasDragged) return
      changeChosen({ x: tile.x + dx, y: tile.y + dy }, wasDragged)
      wasDragged = true
    }
    svg.addEventListener('pointermove', move)
    svg.addEventListener('pointerup', () => svg.removeEventListener('pointermove', move), { once: true })
  })
  // The end of a drag is no click on the link of the tile.
  svg.addEventListener(
    'click',
    (event) => {
      if (wasDragged) event.preventDefault()
      wasDragged = false
    },
    true,
  )
  for (const element of svg.querySelectorAll('.tile')) element.setAttribute('tabindex', '0')
  addEventListener('beforeunload', (event) => {
    if (!isSaved && tiles() !== saved) event.preventDefault()
  })
  tools.hidden = false
  show()
}
