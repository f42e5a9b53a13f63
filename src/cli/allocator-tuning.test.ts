import { expect, it } from 'vitest'
import { tunedStart } from './allocator-tuning.ts'

const server = { HOME: '/root', DATABASE_URL: 'postgres://localhost/inventory' }

const serving: readonly (readonly string[])[] = [[], ['serve'], ['serve', '--demo'], ['--demo']]

it.each(serving.map((given) => ({ given })))('serving as $given begins anew, once', ({ given }) => {
  const anew = tunedStart({ arguments: given, environment: server })

  expect(anew).toEqual({ environment: { ...server, MALLOC_ARENA_MAX: '1' }, options: [] })
  expect(anew && tunedStart({ arguments: given, ...anew })).toBeUndefined()
})

it.each([{ HOME: '/root' }, { HOME: '/root', DATABASE_URL: ' ' }])(
  'with the embedded database it is more frugal: %o',
  (environment) => {
    const anew = tunedStart({ arguments: ['serve'], environment })

    expect(anew?.environment).toEqual({
      ...environment,
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: '1048576',
    })
    expect(anew?.options).toEqual(['--max-semi-space-size=4'])
  },
)

it.each(['import', 'backup', '--help'])('%s goes on as it is', (command) => {
  expect(tunedStart({ arguments: [command], environment: server })).toBeUndefined()
})

it('what somebody has chosen stays', () => {
  const chosen = { ...server, MALLOC_ARENA_MAX: '8' }

  expect(tunedStart({ arguments: ['serve'], environment: chosen })).toBeUndefined()
})
