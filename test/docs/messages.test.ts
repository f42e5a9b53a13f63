import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const PAGE = 'docs/operate/troubleshooting.md'

const code = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] })
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

/** The messages in the first cells of the page's tables: sentences, not settings or numbers. */
const messages = [...readFileSync(PAGE, 'utf8').matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]* [^`]*)`/g)].map(([, message = '']) => message),
)

it('the troubleshooting page quotes messages of the service', () => {
  expect(messages.length).toBeGreaterThan(20)
  const unused = messages.filter((message) => !message.split(/…|: /).every((part) => code.includes(part.trim())))
  expect(unused).toEqual([])
})
