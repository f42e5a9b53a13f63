import { expect, it } from 'vitest'
import { tunedStart } from './allocator-tuning.ts'

const server = { HOME: '/root', DATABASE_URL: 'postgres://localhost/inventory' }

const serving: readonly (readonly string[])[] = [[], ['serve'], ['serve', '--demo'], ['--demo']]

it.each(serving.map((args) => ({ args })))(
  'serve with arguments $args restarts once',
  ({ args }) => {
    const start = tunedStart({ arguments: args, environment: server })

    expect(start).toEqual({
      environment: { ...server, MALLOC_ARENA_MAX: '1' },
      options: ['--max-semi-space-size=32', '--heap-growing-percent=150'],
    })
    expect(start && tunedStart({ arguments: args, ...start })).toBeUndefined()
  },
)

it.each([{ HOME: '/root' }, { HOME: '/root', DATABASE_URL: ' ' }])(
  'the embedded database gets further memory settings: %o',
  (environment) => {
    const start = tunedStart({ arguments: ['serve'], environment })

    expect(start?.environment).toEqual({
      ...environment,
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: '1048576',
    })
    expect(start?.options).toEqual(['--max-semi-space-size=4', '--stack-size=3900'])
  },
)

it('options of Node.js that the operator has chosen are left out', () => {
  const environment = { ...server, NODE_OPTIONS: '--max-semi-space-size=4' }

  expect(tunedStart({ arguments: ['serve'], environment })?.options).toEqual([
    '--heap-growing-percent=150',
  ])
})

it.each(['import', 'backup', '--help'])('%s does not restart', (command) => {
  expect(tunedStart({ arguments: [command], environment: server })).toBeUndefined()
})

it('a variable that is set already is not changed', () => {
  const chosen = { ...server, MALLOC_ARENA_MAX: '8' }

  expect(tunedStart({ arguments: ['serve'], environment: chosen })).toBeUndefined()
})
