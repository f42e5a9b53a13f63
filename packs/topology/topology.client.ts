import { apiRequest, requestErrorText } from 'cadastre/client/api-request.client.ts'
import { makeButton } from 'cadastre/client/button.client.ts'
import { ARROWS, preparePanAndZoom } from 'cadastre/client/pan-zoom.client.ts'
import { translated } from 'cadastre/client/translated.client.ts'
import { type Box, contain } from 'cadastre/client/view-box.client.ts'
import { frameAround } from './frame-area.client.ts'
import { type Area, BOX, type EndLabel, type Place, placeLabels } from './port-labels.client.ts'

/** Pixels by which the keyboard moves a node. */
const NODE_STEP = 20
/** Pixels next to the map for its buttons, and below a map that reaches to the end of the window. */
const TOOLS_HEIGHT = 110
const FOOT_HEIGHT = 16
const LEAST_HEIGHT = 400
/** Milliseconds after the last movement of a node until its position is saved. */
const SAVE_AFTER = 600

function prepare(map: HTMLElement): void {
  const svg = map.querySelector('svg')
  if (!svg) return
  const whole = atLeast(boxOf(svg), map.clientWidth)
  let box = whole
  const show = (next: Box): void => {
    box = contain(next, whole)
    svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`)
  }
  map.classList.add('live')
  show(whole)
  const top = map.getBoundingClientRect().top + window.scrollY
  const most = Math.max(window.innerHeight - top - FOOT_HEIGHT, LEAST_HEIGHT)
  map.style.setProperty('--height', `${Math.round(Math.min(whole.height + TOOLS_HEIGHT, most))}px`)
  const status = document.createElement('p')
  status.className = 'map-hint muted'
  status.setAttribute('role', 'status')
  status.textContent = translated(
    'Drag to move, scroll to zoom. With the keyboard: arrow keys and + − on the map, Alt with arrow keys on a node.',
  )
  map.after(status)
  const store = savingOf(map, status)
  const namePorts = preparePortNames(map, svg)
  const moving: Saving = {
    ...store,
    moved: (node) => {
      store.moved(node)
      namePorts()
    },
  }
  addNodeKeys(map, svg, moving)
  const grab = (target: Element) => {
    const node = target.closest('.node')
    if (!node) return undefined
    return (dx: number, dy: number): void => {
      const [x, y] = placeOf(node)
      moveNode(svg, node, x + dx, y + dy)
      moving.moved(node)
    }
  }
  const drawing = { frame: map, svg, box: () => box, show, whole, grab }
  preparePanAndZoom(drawing, [makeButton(translated('Reset positions'), () => store.reset())])
}

/** The box, at least this wide: a small map is not enlarged. */
const atLeast = (box: Box, width: number): Box =>
  box.width < width ? { ...box, x: box.x - (width - box.width) / 2, width } : box

/** Half the size of the number of links in the middle of a line. */
const COUNT: Place = [12, 9]

/** The middle of a text, whose own place is the middle of its lower edge. */
const pointOf = (text: Element): Place => [Number(text.getAttribute('x')), Number(text.getAttribute('y')) - 4]

const pointsOf = (line: SVGPolylineElement | null | undefined): readonly Place[] =>
  [...(line?.points ?? [])].map(({ x, y }): Place => [x, y])

/** Names the ports of links: of all if they are few, otherwise of those that are pointed at or focused. */
function preparePortNames(map: HTMLElement, svg: SVGSVGElement): () => void {
  const texts = [...svg.querySelectorAll<SVGTextElement>('.end')]
  const links = new Map([...svg.querySelectorAll<SVGElement>('.link')].map((link) => [link.dataset.link, link]))
  const labelOf = (text: SVGTextElement): EndLabel => {
    const points = pointsOf(links.get(text.dataset.link)?.querySelector('polyline'))
    const [from = [0, 0], to = [0, 0]] = text.dataset.side === 'a' ? points : points.toReversed()
    return { from, to, width: text.getComputedTextLength() + 6 }
  }
  let near: readonly SVGElement[] = []
  const update = (): void => {
    const keys = new Set(near.map(({ dataset }) => dataset.link))
    const visible =
      near.length > 0 ? texts.filter(({ dataset }) => keys.has(dataset.link)) : 'named' in map.dataset ? texts : []
    const areas = [
      ...[...svg.querySelectorAll('.node')].map((node): Area => ({ middle: placeOf(node), half: BOX })),
      ...[...svg.querySelectorAll('.link text')].map((count): Area => ({ middle: pointOf(count), half: COUNT })),
    ]
    const places = placeLabels(visible.map(labelOf), areas, near.length > 0)
    for (const text of texts) {
      const place = places[visible.indexOf(text)]
      text.classList.toggle('placed', place !== undefined)
      if (place) setAll(text, { x: place[0], y: place[1] })
    }
  }
  const point = ({ target }: Event): void => {
    const element = target instanceof Element ? target.closest<SVGElement>('.link, .node') : null
    const key = element?.dataset.key
    const next = [...links.values()].filter(
      (link) => link === element || (key !== undefined && (link.dataset.a === key || link.dataset.b === key)),
    )
    if (next.length === near.length && next.every((link, index) => link === near[index])) return
    for (const link of near) link.classList.remove('near')
    for (const link of next) link.classList.add('near')
    near = next
    update()
  }
  svg.addEventListener('pointerover', point)
  svg.addEventListener('focusin', point)
  svg.addEventListener('pointerleave', point)
  svg.addEventListener('focusout', () => point(new Event('blur')))
  update()
  return update
}

function boxOf(svg: SVGSVGElement): Box {
  const { x, y, width, height } = svg.viewBox.baseVal
  return { x, y, width, height }
}

/** Positions of moved nodes, which are saved in the user's preferences. */
interface Saving {
  readonly moved: (node: Element) => void
  readonly reset: () => void
}

function savingOf(map: HTMLElement, status: HTMLElement): Saving {
  const changed: Record<string, readonly [number, number]> = {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const name = map.dataset.positions ?? ''
  const send = async (positions: unknown): Promise<boolean> => {
    try {
      const body = { topology: { positions: { [name]: positions } } }
      await apiRequest('PATCH', '/api/users/config/', { body })
      return true
    } catch (error) {
      status.textContent = requestErrorText(error)
      return false
    }
  }
  return {
    moved: (node) => {
      const [x, y] = placeOf(node)
      changed[node.getAttribute('data-key') ?? ''] = [Math.round(x), Math.round(y)]
      clearTimeout(timer)
      timer = setTimeout(async () => {
        if (await send(changed)) status.textContent = translated('Positions saved.')
      }, SAVE_AFTER)
    },
    reset: async () => {
      clearTimeout(timer)
      if (await send(null)) location.reload()
    },
  }
}

const placeOf = (node: Element): readonly [number, number] => {
  const [, x = '0', y = '0'] = /translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)/.exec(node.getAttribute('transform') ?? '') ?? []
  return [Number(x), Number(y)]
}

/** Moves a node, with its frame and its lines, which become straight. */
function moveNode(svg: SVGSVGElement, node: Element, x: number, y: number): void {
  node.setAttribute('transform', `translate(${x} ${y})`)
  const key = CSS.escape(node.getAttribute('data-key') ?? '')
  const places = new Map([[node.getAttribute('data-key'), [x, y] as const]])
  for (const link of svg.querySelectorAll(`.link[data-a="${key}"], .link[data-b="${key}"]`)) {
    const ends = ['data-a', 'data-b'].map((side) => {
      const end = link.getAttribute(side) ?? ''
      const other = svg.querySelector(`.node[data-key="${CSS.escape(end)}"]`)
      return places.get(end) ?? (other ? placeOf(other) : ([0, 0] as const))
    })
    const [[ax, ay] = [0, 0], [bx, by] = [0, 0]] = ends
    for (const line of link.querySelectorAll('polyline')) line.setAttribute('points', `${ax},${ay} ${bx},${by}`)
    setAll(link.querySelector('text'), { x: (ax + bx) / 2, y: (ay + by) / 2 - 4 })
  }
  moveFrame(svg, node.getAttribute('data-frame'))
}

function moveFrame(svg: SVGSVGElement, key: string | null): void {
  const frame = key === null ? null : svg.querySelector(`.frame[data-key="${CSS.escape(key)}"]`)
  if (!frame || key === null) return
  const nodes = [...svg.querySelectorAll(`.node[data-frame="${CSS.escape(key)}"]`)]
  const { middle, half } = frameAround(nodes.map(placeOf))
  const [x, y] = [middle[0] - half[0], middle[1] - half[1]]
  setAll(frame.querySelector('rect'), { x, y, width: 2 * half[0], height: 2 * half[1] })
  setAll(frame.querySelector('text'), { x: x + 12, y: y + 20 })
}

function setAll(element: Element | null, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values)) element?.setAttribute(name, String(value))
}

/** Alt with the arrow keys moves the node that has the focus. */
function addNodeKeys(map: HTMLElement, svg: SVGSVGElement, store: Saving): void {
  map.addEventListener('keydown', (event) => {
    const arrow = ARROWS[event.key]
    const node = event.target instanceof Element ? event.target.closest('.node') : null
    if (!arrow || !event.altKey || !node) return
    const [x, y] = placeOf(node)
    moveNode(svg, node, x + arrow[0] * NODE_STEP, y + arrow[1] * NODE_STEP)
    store.moved(node)
    event.preventDefault()
  })
}

function prepareAll(): void {
  for (const map of document.querySelectorAll<HTMLElement>('[data-topology]')) prepare(map)
}

prepareAll()
// Filters replace the map.
document.querySelector('form.list-filters')?.addEventListener('listed', prepareAll)
