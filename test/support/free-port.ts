import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Ports below those that systems choose for outgoing connections. Each process has a block of its own. */
const FIRST = 10_000
const BLOCKS = 680
const BLOCK = 32
const block = FIRST + (process.pid % BLOCKS) * BLOCK

let next = randomInt(BLOCK)

/**
 * A port of the loopback address that is free, and that no other process of the tests takes before the caller's server
 * listens there: that may take ten seconds. Otherwise the other server would answer its requests.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < BLOCK; tries++) {
    const port = block + (next++ % BLOCK)
    if (await isFree(port)) return port
  }
  throw new Error(`No port from ${block} to ${block + BLOCK - 1} is free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
