import { expect, it } from 'vitest'
import { stackDepthFor } from './stack-depth.ts'

it.each([
  [[], 196],
  [['--max-semi-space-size=4', '--stack-size=3900'], 780],
  [['--stack_size=2000', '--stack-size=1000'], 200],
  [['--stack-size=100'], 100],
])('with %j, statements may take %i kB', (options, kilobytes) => {
  expect(stackDepthFor(options)).toBe(kilobytes)
})
