import { expect, it } from 'vitest'
import type { Endpoint } from './endpoint.ts'
import { DOTTED, ID, REST, Routes } from './routes.ts'

const endpoint = (name: string): Endpoint => ({ name, description: '', methods: {} })

const routes = new Routes()
for (const pattern of [
  '/api/',
  '/api/dcim/sites/',
  `/api/dcim/sites/${ID}/`,
  '/api/dcim/sites/special/',
  `/api/dcim/sites/${ID}/trace/`,
  `/api/extras/scripts/${ID}/`,
  `/api/extras/scripts/${DOTTED}/`,
  `/media/${REST}`,
]) {
  routes.add(pattern, endpoint(pattern))
}

it.each<[string, string | undefined, readonly string[]]>([
  ['/api/', '/api/', []],
  ['/api', '/api/', []],
  ['/api/dcim/sites/', '/api/dcim/sites/', []],
  ['/api/dcim/sites/5/', '/api/dcim/sites/:id/', ['5']],
  ['/api/dcim/sites/5', '/api/dcim/sites/:id/', ['5']],
  ['/api/dcim/sites/special/', '/api/dcim/sites/special/', []],
  ['/api/dcim/sites/5/trace/', '/api/dcim/sites/:id/trace/', ['5']],
  ['/api/dcim/sites/5/nope/', undefined, []],
  ['/api/dcim/sites/a.b/', undefined, []],
  ['/api/extras/scripts/a.b/', '/api/extras/scripts/:dotted/', ['a.b']],
  ['/api/extras/scripts/7/', '/api/extras/scripts/:id/', ['7']],
  ['/api/dcim/', undefined, []],
  ['/media/a/b.png', '/media/*', ['a/b.png']],
  ['/', undefined, []],
])('%s leads to %s', (path, pattern, parameters) => {
  const route = routes.find(path)
  expect(route?.endpoint.name).toBe(pattern)
  if (route) expect(route.parameters).toEqual(parameters)
})

it('a second endpoint for a pattern is refused', () => {
  expect(() => routes.add('/api/', endpoint('twice'))).toThrow('/api/')
})
