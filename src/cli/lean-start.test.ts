import { expect, it } from 'vitest'
import { leanEnvironment } from './lean-start.ts'

const environment = { HOME: '/root' }

const serving: readonly (readonly string[])[] = [[], ['serve'], ['serve', '--demo'], ['--demo']]

it.each(serving.map((given) => ({ given })))('serving as $given begins anew, once', ({ given }) => {
  const anew = leanEnvironment({ arguments: given, environment })

  expect(anew).toEqual({ ...environment, MALLOC_ARENA_MAX: '1' })
  expect(anew && leanEnvironment({ arguments: given, environment: anew })).toBeUndefined()
})

it.each(['import', 'backup', '--help'])('%s goes on as it is', (command) => {
  expect(leanEnvironment({ arguments: [command], environment })).toBeUndefined()
})

it('what somebody has chosen stays', () => {
  const chosen = { ...environment, MALLOC_ARENA_MAX: '8' }

  expect(leanEnvironment({ arguments: ['serve'], environment: chosen })).toBeUndefined()
})
