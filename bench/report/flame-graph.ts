/** A profile as `node --cpu-prof` writes it, as far as it is drawn. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[]
}

interface Frame {
  readonly name: string
  readonly kind: Kind
  time: number
  readonly below: Map<string, Frame>
}

type Kind = 'own' | 'package' | 'node' | 'native'

const COLOURS: Readonly<Record<Kind, string>> = {
  own: '#e8743b',
  package: '#e5b13a',
  node: '#7aa6c2',
  native: '#a9a9a9',
}
const [WIDTH, HEIGHT, TEXT_WIDTH, TOP] = [1200, 15, 6.2, 24] as const
/** Narrower frames, in parts of the whole, are left out. */
const NARROWEST = 0.004
const DEEPEST = 34
/** Waiting, and the profiler itself. */
const LEFT_OUT: ReadonlySet<string> = new Set(['(idle)', 'post'])

/** The time of a profile as an SVG picture: a frame stands below those that it calls, as wide as its share of the time. */
export function flameGraph(profile: CpuProfile, title: string): string {
  const root = frameTree(profile)
  const rectangles: string[] = []
  let deepest = 0
  const draw = (frame: Frame, left: number, depth: number): void => {
    const width = (frame.time / root.time) * WIDTH
    if (frame.time < NARROWEST * root.time || depth > DEEPEST) return
    deepest = Math.max(deepest, depth)
    if (depth >= 0) rectangles.push(rectangle(frame, { left, width, depth, whole: root.time }))
    let next = left
    for (const child of [...frame.below.values()].toSorted((a, b) => b.time - a.time)) {
      draw(child, next, depth + 1)
      next += (child.time / root.time) * WIDTH
    }
  }
  draw(root, 0, -1)
  const height = TOP + (deepest + 1) * HEIGHT
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="10">
<title>${escaped(title)}</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/><text x="4" y="15" font-size="13">${escaped(title)}</text>
${rectangles.join('\n')}
</svg>
`
}

function rectangle(
  { name, kind, time }: Frame,
  {
    left,
    width,
    depth,
    whole,
  }: {
    readonly left: number
    readonly width: number
    readonly depth: number
    readonly whole: number
  },
): string {
  const y = TOP + depth * HEIGHT
  const room = Math.floor((width - 4) / TEXT_WIDTH)
  const label =
    room < 3
      ? ''
      : `<text x="${(left + 2).toFixed(1)}" y="${y + 11}">${escaped(name.slice(0, room))}</text>`
  const share = `${((100 * time) / whole).toFixed(1)} %`
  return `<g><title>${escaped(name)}: ${share}</title><rect x="${left.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${HEIGHT - 1}" fill="${COLOURS[kind]}"/>${label}</g>`
}

/** All stacks of the profile, those that are equal together. */
function frameTree({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const own = new Map<number, number>()
  for (const [index, id] of samples.entries()) {
    own.set(id, (own.get(id) ?? 0) + (timeDeltas[index] ?? 0))
  }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const root: Frame = { name: 'all', kind: 'node', time: 0, below: new Map() }
  const add = (id: number, parent: Frame): number => {
    const node = byId.get(id)
    if (!node || LEFT_OUT.has(node.callFrame.functionName)) return 0
    const { functionName, url } = node.callFrame
    const name = `${functionName === '' ? 'anonymous' : functionName} ${placeOf(url)}`.trim()
    const known = parent.below.get(name)
    const frame = known ?? { name, kind: kindOf(url), time: 0, below: new Map() }
    parent.below.set(name, frame)
    let time = own.get(id) ?? 0
    for (const child of node.children ?? []) time += add(child, frame)
    frame.time += time
    return time
  }
  for (const child of nodes[0]?.children ?? []) root.time += add(child, root)
  return root
}

/** The file below `src/`, or the package. */
const placeOf = (url: string): string =>
  /\/src\/(.*)$/.exec(url)?.[1] ?? /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? ''

function kindOf(url: string): Kind {
  if (url === '') return 'native'
  if (url.startsWith('node:')) return 'node'
  return url.includes('node_modules') ? 'package' : 'own'
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
