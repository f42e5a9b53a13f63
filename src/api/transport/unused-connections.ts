import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The connections of the server that have not sent anything yet, such as those that browsers open in advance. Node regards them as
 * busy, so a server that stops would wait for their first request for a minute. Returns the function that closes them.
 */
export function unusedConnections(server: Server): () => void {
  const unused = new Set<Socket>()
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => void unused.delete(socket))
  return () => {
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
  }
}
