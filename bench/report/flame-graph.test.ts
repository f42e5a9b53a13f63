import { expect, it } from 'vitest'
import { type CpuProfile, flameGraph } from './flame-graph.ts'

const node = (id: number, functionName: string, url: string, ...children: number[]) => ({
  id,
  callFrame: { functionName, url },
  children,
})

const PROFILE: CpuProfile = {
  nodes: [
    node(1, '(root)', '', 2, 5),
    node(2, 'list', 'file:///x/src/http/list.ts', 3, 4),
    node(3, 'parse<T>', 'file:///x/node_modules/pg-protocol/dist/parser.js'),
    node(4, '', 'node:buffer'),
    node(5, '(idle)', ''),
  ],
  samples: [2, 3, 4, 5],
  timeDeltas: [500, 250, 250, 9_000],
}

it('draws each function as wide as its share of the time that was not spent waiting', () => {
  const svg = flameGraph(PROFILE, 'A & B')
  expect(svg).toContain('A &amp; B')
  expect(
    [...svg.matchAll(/<title>(.*?)<\/title><rect x="(.*?)" y="(.*?)" width="(.*?)"/g)].map(
      ([, ...values]) => values,
    ),
  ).toEqual([
    ['list http/list.ts: 100.0 %', '0.0', '24', '1200.0'],
    ['parse&lt;T&gt; pg-protocol: 25.0 %', '0.0', '39', '300.0'],
    ['anonymous: 25.0 %', '300.0', '39', '300.0'],
  ])
})
