import { describe, expect, it } from 'vitest'
import { drawioFile, svgFile } from './map-files.ts'
import type { DrawnLink, DrawnMap, DrawnNode } from './topology-map.ts'

function mapOf(name: string): DrawnMap {
  const node = (key: string, x: number, y: number, more: Partial<DrawnNode> = {}): DrawnNode => ({
    ...{
      key,
      name,
      about: 'Role',
      context: '',
      href: `/${key}/`,
      color: 'ff0000',
      shape: 'device',
      frame: 'site:1',
      x,
      y,
    },
    ...more,
  })
  const [top, one, two] = [node('device:1', 0, 0), node('device:2', -200, 150), node('device:3', 200, 150)]
  const circuit = node('circuit:4', 0, -200, { shape: 'circuit', color: undefined, frame: null })
  const single = node('device:5', 0, 400, { frame: null })
  const link = (a: DrawnNode, b: DrawnNode, more: Partial<DrawnLink> = {}): DrawnLink => ({
    ...{ a, b, kind: 'network', label: '1 cable', count: 1, ports: [[name, 'eth1']] },
    points: [
      [a.x, a.y],
      [b.x, b.y],
    ],
    ...more,
  })
  const bent = {
    points: [
      [0, 0],
      [300, 80],
      [200, 150],
    ] as const,
    count: 2,
  }
  return {
    nodes: [top, one, two, circuit, single],
    links: [link(top, one), link(top, two, bent), link(circuit, top, { kind: 'circuits' })],
    frames: [{ key: 'site:1', name }],
    aside: new Set(['device:5']),
  }
}

/** The value of each attribute of a name, in order, unescaped. */
const values = (file: string, tag: string, name: string): readonly string[] =>
  [...file.matchAll(new RegExp(`<${tag} [^>]*?\\b${name}="([^"]*)"`, 'g'))].map(([, value = '']) => unescaped(value))

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&#10;': '\n', '&amp;': '&' },
}
const unescaped = (text: string): string => text.replaceAll(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity)

/** Elements are closed in order, attributes are quoted, and every ampersand begins an entity. */
function isWellFormed(file: string): boolean {
  const open: string[] = []
  const rest = file
    .replace(/^<\?xml [^>]*\?>/, '')
    .replaceAll(/<(\/?)([\w]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g, (_, close, tag, _attributes, alone) => {
      if (close && open.pop() !== tag) open.push('!')
      if (!close && !alone) open.push(tag)
      return ''
    })
  return (
    open.length === 0 &&
    !/[<>\ufffe\uffff\p{Cs}]|(?![\n\t])\p{Cc}/u.test(rest) &&
    !/&(?!(amp|lt|gt|quot|#39|#10);)/.test(file)
  )
}

const names: readonly (readonly [string, string, string])[] = [
  ['a plain name', 'sw-1', 'sw-1'],
  ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['quotes', `"a" & 'b'`, `"a" & 'b'`],
  ['the end of an attribute', '"/><mxCell id="x', '"/><mxCell id="x'],
  ['the end of a section', ']]> &amp; <!-- -->', ']]> &amp; <!-- -->'],
  ['a processing instruction', '<?xml?><!DOCTYPE a>', '<?xml?><!DOCTYPE a>'],
  ['control characters', 'a\u0000\u0008\u001fb\uffff', 'ab'],
  ['half of a pair', 'a\ud800b', 'ab'],
  ['other scripts', 'Münster 東京 🛰', 'Münster 東京 🛰'],
]

describe.each(names)('files of a map with %s as names', (_what, name, expected) => {
  it('are well-formed', () => {
    for (const file of [svgFile(mapOf(name), name), drawioFile(mapOf(name), name)]) {
      expect(isWellFormed(file), file).toBe(true)
      expect(file).not.toMatch(/<script|<!|onload|href=/)
    }
  })

  it('have the whole names in both formats', () => {
    const svg = svgFile(mapOf(name), 'Map')
    const titles = [...svg.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text = '']) => unescaped(text))
    expect(titles.filter((title) => title === expected)).toHaveLength(5)
    const labels = values(drawioFile(mapOf(name), 'Map'), 'mxCell', 'value')
    expect(labels.filter((label) => label === `${expected}\nRole`)).toHaveLength(5)
  })
})

it('an SVG file needs nothing else: no styles of the page, scripts, fonts or links', () => {
  const svg = svgFile(mapOf('sw-1'), 'Map')
  expect(svg).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[-\d. ]+"/,
  )
  expect(svg).not.toMatch(/class=|var\(|url\(|@import|<a /)
  expect(svg).toContain('points="0,0 300,80 200,150"')
  expect(svg).toContain('>eth1</text>')
  expect(svg).toContain('>Without links</text>')
})

describe('a draw.io file', () => {
  const file = drawioFile(mapOf('sw-1'), 'Map')
  const cells = [...file.matchAll(/<mxCell ([^>]*?)\/?>(?:<mxGeometry ([^>]*?)\/?>)?/g)].map(
    ([, cell = '', geometry = '']) =>
      Object.fromEntries(
        [...`${cell} ${geometry}`.matchAll(/([\w]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
      ),
  )
  const byId = new Map(cells.map((cell) => [cell.id, cell]))

  it('is an uncompressed model with a root and a layer', () => {
    expect(file).toMatch(
      /<mxfile [^>]*><diagram [^>]*><mxGraphModel [^>]*><root><mxCell id="0"\/><mxCell id="1" parent="0"\/>/,
    )
    expect(byId.size).toBe(cells.length)
  })

  it('has frames as containers, and the other boxes beside them', () => {
    expect(byId.get('site:1')).toMatchObject({
      vertex: '1',
      parent: '1',
      style: expect.stringContaining('container=1'),
    })
    expect(['device:1', 'device:2', 'device:3', 'circuit:4', 'device:5'].map((id) => byId.get(id)?.parent)).toEqual([
      ...['site:1', 'site:1', 'site:1', '1', '1'],
    ])
  })

  it('has each box within its frame', () => {
    const frame = byId.get('site:1')
    for (const { x, y, width, height } of cells.filter(({ parent }) => parent === 'site:1')) {
      expect(Number(x)).toBeGreaterThan(0)
      expect(Number(y)).toBeGreaterThan(0)
      expect(Number(x) + Number(width)).toBeLessThan(Number(frame?.width))
      expect(Number(y) + Number(height)).toBeLessThan(Number(frame?.height))
    }
  })

  it('has lines between its boxes, with their bends and the ports at both ends', () => {
    const edges = cells.filter(({ edge }) => edge === '1')
    expect(edges.map(({ source, target }) => [source, target])).toEqual([
      ['device:1', 'device:2'],
      ['device:1', 'device:3'],
      ['circuit:4', 'device:1'],
    ])
    expect(edges.map(({ value }) => value)).toEqual(['', '2', ''])
    const ports = cells.filter(({ connectable }) => connectable === '0')
    expect(
      ports.filter(({ parent }) => parent === 'link:0').map(({ value, x, relative }) => [value, x, relative]),
    ).toEqual([
      ['sw-1', '-0.6', '1'],
      ['eth1', '0.6', '1'],
    ])
    expect(file.match(/<mxPoint /g)).toHaveLength(1)
  })

  it('has plain text as labels', () => {
    for (const { id, style } of cells) {
      if (id !== '0' && id !== '1') expect(style).toContain('html=0')
    }
  })
})
