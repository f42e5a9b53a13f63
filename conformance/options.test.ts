import { expect, it } from 'vitest'
import { parseOptions } from './options.ts'

it('without options three parts run over the default directory', () => {
  expect(parseOptions([])).toMatchObject({
    directory: '../shared/reference',
    parts: ['filters', 'bodies', 'scenarios'],
    resources: undefined,
  })
})

it.each([
  [
    ['--only', 'filter'],
    '--only: filter is none of filters, bodies, scenarios, webhooks, dataset, openapi, data-sources, scripts',
  ],
  [['--minimum', 'filters'], '--minimum: filters is not like filters=0.97'],
  [['--minimum', 'filters=97'], '--minimum: filters=97 is not like filters=0.97'],
  [['--minimum', 'reads=0.9'], '--minimum: reads is none of'],
  [['--connections', '0'], '--connections: 0 is not a whole number from 1 up'],
  [['--reads-url', 'localhost:80'], '--reads-url: localhost:80 is not an http address'],
  [['a', 'b'], 'one directory at most, not a b'],
  [['--dataset', '--only', 'bodies'], 'give one of them'],
  [['--dataset', '--openapi'], 'give one of them'],
])('%j is refused in one sentence', (argv, message) => {
  expect(() => parseOptions(argv)).toThrow(message)
})

it.each(['dataset', 'openapi', 'data-sources'])('--%s runs only this part', (part) => {
  expect(parseOptions([`--${part}`])).toMatchObject({ parts: [part] })
})
