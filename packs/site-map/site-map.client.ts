import { preparePanAndZoom } from 'cadastre/client/pan-zoom.client.ts'
import { type Box, contain } from 'cadastre/client/view-box.client.ts'

/** Minimum distance in pixels at which grouped sites get separate dots. */
const APART = 26

/** Attributes of positions within the dots of the map. */
const AXES = [
  ['cx', 'cy'],
  ['x', 'y'],
] as const

/** A dot with its position on the whole map, in shares of its width and height. */
interface Dot {
  readonly element: Element
  readonly x: number
  readonly y: number
  /** Ids of the sites of a group. */
  readonly sites: readonly string[]
}

function prepare(map: HTMLElement): void {
  const svg = map.querySelector('svg')
  const land = svg?.querySelector('svg')
  if (!svg || !land) return
  const { x, y, width, height } = land.viewBox.baseVal
  const whole: Box = { x, y, width, height }
  const dots = [...svg.querySelectorAll(':scope > g:not(.members) > a')].map(dotOf)
  const members = new Map(
    [...svg.querySelectorAll('.members > a')].map((element) => [idOf(element), dotOf(element)] as const),
  )
  const groups = groupsOf(dots, members)
  let box = whole
  const show = (next: Box): void => {
    const held = contain(next, whole)
    // Beyond the whole map there is nothing to see.
    box = held.width >= whole.width ? whole : inside(held, whole)
    land.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`)
    for (const dot of [...dots, ...members.values()]) place(dot, box, whole)
    splitGroups(groups, members, svg.getBoundingClientRect().width * (whole.width / box.width))
  }
  map.classList.add('live')
  preparePanAndZoom({ frame: map, svg, box: () => box, show, whole })
}

const idOf = (element: Element): string => /(\d+)\/$/.exec(element.getAttribute('href') ?? '')?.[1] ?? ''

function dotOf(element: Element): Dot {
  const circle = element.querySelector('circle')
  const share = (name: string): number => Number.parseFloat(circle?.getAttribute(name) ?? '') / 100
  return {
    element,
    x: share('cx'),
    y: share('cy'),
    sites: (element.getAttribute('data-sites') ?? '').split(' ').filter((id) => id !== ''),
  }
}

/** The box, moved so that none of it is beyond the whole map. */
const inside = (box: Box, whole: Box): Box => ({
  ...box,
  x: Math.min(Math.max(box.x, whole.x), whole.x + whole.width - box.width),
  y: Math.min(Math.max(box.y, whole.y), whole.y + whole.height - box.height),
})

function place({ element, x, y }: Dot, box: Box, whole: Box): void {
  const left = `${((x * whole.width - box.x) / box.width) * 100}%`
  const top = `${((y * whole.height - box.y) / box.height) * 100}%`
  for (const part of element.children) {
    for (const [across, down] of AXES) {
      if (!part.hasAttribute(across)) continue
      part.setAttribute(across, left)
      part.setAttribute(down, top)
    }
  }
}

/** A group with the dots of its sites, and the smallest distance between two of them as a share of the map's width. */
interface Group {
  readonly element: Element
  readonly members: readonly Dot[]
  readonly nearest: number
}

function groupsOf(dots: readonly Dot[], members: ReadonlyMap<string, Dot>): readonly Group[] {
  return dots.flatMap(({ element, sites }): readonly Group[] => {
    const group = sites.flatMap((id) => members.get(id) ?? [])
    if (group.length === 0) return []
    const nearest = group.reduce(
      (least, dot, index) =>
        group
          .slice(index + 1)
          .reduce((min, other) => Math.min(min, Math.hypot(dot.x - other.x, (dot.y - other.y) / 2)), least),
      1,
    )
    return [{ element, members: group, nearest }]
  })
}

/** Shows the sites of the groups whose sites are far enough apart on a map of this width, in place of the group. */
function splitGroups(groups: readonly Group[], members: ReadonlyMap<string, Dot>, width: number): void {
  const apart = new Set<Dot>()
  for (const { element, members: group, nearest } of groups) {
    const isSplit = nearest * width >= APART
    element.classList.toggle('split', isSplit)
    const { parentElement: arrangement } = element
    const isShown = arrangement !== null && getComputedStyle(arrangement).display !== 'none'
    if (isSplit && isShown) for (const dot of group) apart.add(dot)
  }
  for (const dot of members.values()) dot.element.classList.toggle('apart', apart.has(dot))
}

function prepareAll(): void {
  for (const map of document.querySelectorAll<HTMLElement>('[data-site-map]')) prepare(map)
}

prepareAll()
// Filters replace the map.
document.querySelector('form.list-filters')?.addEventListener('listed', prepareAll)
