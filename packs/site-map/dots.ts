import type { PlacedSite } from './sites-on-map.ts'

/** Sites at nearly the same position of a map. */
export interface Dot {
  /** At least one, ordered by name. */
  readonly sites: readonly [PlacedSite, ...PlacedSite[]]
  /** Middle of the sites, as shares of the map's width and height. */
  readonly x: number
  readonly y: number
}

/** A site with its position on a map, in shares of its width and height. */
export interface PositionedSite {
  readonly site: PlacedSite
  readonly x: number
  readonly y: number
}

/** Width and height of a map in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Pixels: sites that are closer to the first site of a dot are part of it. */
const CLOSE = 22

/** The dots of a map of this size, in the order of their first sites. */
export function dotsOf(sites: readonly PositionedSite[], { width, height }: Size): readonly Dot[] {
  const groups: { readonly first: PositionedSite; readonly sites: [PositionedSite, ...PositionedSite[]] }[] = []
  // Only the groups of the neighbouring cells can be close.
  const cells = new Map<string, typeof groups>()
  for (const site of sites) {
    const [column, row] = [Math.floor((site.x * width) / CLOSE), Math.floor((site.y * height) / CLOSE)]
    const near = AROUND.flatMap(([right, down]) => cells.get(`${column + right} ${row + down}`) ?? [])
    const group = near.find(({ first }) => Math.hypot((first.x - site.x) * width, (first.y - site.y) * height) < CLOSE)
    if (group) {
      group.sites.push(site)
      continue
    }
    const added = { first: site, sites: [site] satisfies [PositionedSite] as [PositionedSite] }
    groups.push(added)
    const cell = `${column} ${row}`
    cells.set(cell, [...(cells.get(cell) ?? []), added])
  }
  return groups.map(({ sites: [first, ...others] }) => {
    const all = [first, ...others]
    const meanOf = (axis: 'x' | 'y') => all.reduce((sum, site) => sum + site[axis], 0) / all.length
    return { sites: [first.site, ...others.map(({ site }) => site)], x: meanOf('x'), y: meanOf('y') }
  })
}

const AROUND = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const))
