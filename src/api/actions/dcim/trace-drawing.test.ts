import { describe, expect, test } from 'vitest'
import type { Segment } from './follow-path.ts'
import { drawTrace } from './trace-drawing.ts'

const device = (name: string) => ({ display: name })
const texts = new Map(
  Object.entries({
    i1: { display: 'eth0', device: device('switch <1>') },
    f1: { display: 'front 1', device: device('panel') },
    r1: { display: 'rear 1', device: device('panel') },
    c1: { id: 7, label: '', status: 'connected', color: 'ff0000', length: 5, length_unit: 'm' },
    c2: { id: 8, label: 'B & C', status: 'planned', color: 'javascript', length: null },
    i2: { display: 'eth1', device: device('router\ufffe\uffff\u0007') },
  }).map(([node, object]) => [node, JSON.stringify(object)]),
)
const segments: readonly Segment[] = [
  [['i1'], ['c1'], ['f1']],
  [['r1'], ['c2'], ['i2']],
]
const drawing = drawTrace(segments, texts, 400)

describe('the drawing of a trace', () => {
  // Texts that a drawing contains or does not contain.
  const contents: readonly [string, string, boolean][] = [
    ['names of devices, as text', '>switch &lt;1&gt;<', true],
    ['names of what is connected', '>eth1<', true],
    ['a cable without label by its number', '>#7<', true],
    ['labels, as text', '>B &amp; C<', true],
    ['names without characters that XML forbids', '>router<', true],
    ['how long a cable is', '>5 m<', true],
    ['colours of cables', 'stroke="#ff0000"', true],
    ['nothing that is not a colour', 'javascript', false],
    ['planned cables dashed', 'stroke-dasharray', true],
  ]
  test.each(contents)('%s', (_, text, isThere) => {
    expect(drawing.includes(text)).toBe(isThere)
  })

  test('has colours for dark pages, and no other colour than that of a cable outside of them', () => {
    const [, style = '', shapes = ''] = drawing.match(/<style>([\s\S]*)<\/style>([\s\S]*)/) ?? []
    expect(style).toContain('@media (prefers-color-scheme:dark)')
    expect(shapes.match(/#[0-9a-f]{6}/g)).toEqual(['#ff0000'])
  })

  test('names a device once for what goes in and out of it', () => {
    expect(drawing.match(/>panel</g)).toHaveLength(1)
  })

  test.each([
    ['as wide as requested', 400, 400],
    ['not too narrow to read', 1, 200],
    ['not wider than a screen can be', 1e9, 4000],
  ])('%s', (_, requested, width) => {
    expect(drawTrace(segments, texts, requested)).toMatch(new RegExp(`^<svg [^>]*width="${width}"`))
  })

  test('is empty for an object without a connection', () => {
    expect(drawTrace([], texts, 400)).toMatch(/^<svg .*<\/svg>$/)
  })
})
