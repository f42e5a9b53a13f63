import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import { unusedConnections } from './unused-connections.ts'

it('a server that stops does not wait for connections that have sent nothing', async () => {
  const server = createServer((_request, response) => response.end('answer'))
  const closeUnused = unusedConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // It listens on a port.
  const opened = once(server, 'connection')
  const client = connect(port, '127.0.0.1')
  await opened
  const [closed, ended] = [once(server, 'close'), once(client, 'close')]
  server.close()
  closeUnused()
  await Promise.all([closed, ended])
  expect(client.bytesRead).toBe(0)
})
