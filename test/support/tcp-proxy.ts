import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP proxy in front of a PostgreSQL server that can imitate the faults of real networks and poolers. */
export interface TcpProxy {
  /** The server's URL through the proxy. */
  readonly url: string
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>
  /** Accepts connections again, at the same port. */
  restore(): Promise<void>
  /** From now on, drops everything on the present connections of that `application_name`, without closing them. */
  freeze(application: string): void
  /** Drops everything on all present and future connections, without closing them. */
  freezeAll(): void
  /** Resets the client's side of the present connections of that name; the server does not notice. */
  reset(application: string): void
}

export interface ProxyOptions {
  /** Withholds notifications from clients, as connection poolers in transaction mode do. */
  readonly dropsNotifications?: boolean
}

interface Link {
  readonly client: Socket
  readonly server: Socket
  /** The first bytes that the client has sent: its startup message. */
  startup: string
  isFrozen: boolean
  isReset: boolean
}

/** A proxy to the server of `target`; closed at the end of the test. */
export async function startProxy(target: string, { dropsNotifications = false }: ProxyOptions = {}): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const links = new Set<Link>()
  let listening: Server | undefined
  let ownPort = 0
  let isFrozen = false

  const accept = (client: Socket) => {
    const server = connect(Number(port), hostname)
    const link: Link = { client, server, startup: '', isFrozen, isReset: false }
    links.add(link)
    const filter = dropsNotifications ? withoutNotifications() : (data: Buffer) => data
    client.on('data', (data) => {
      link.startup ||= data.toString('latin1')
      if (!link.isFrozen) server.write(data)
    })
    server.on('data', (data: Buffer) => {
      if (!link.isFrozen && !link.isReset) client.write(filter(data))
    })
    for (const socket of [client, server]) socket.on('error', () => undefined)
    client.on('close', () => {
      if (!link.isReset) server.destroy()
    })
    server.on('close', () => {
      client.destroy()
      links.delete(link)
    })
  }
  const linksOf = (application: string) =>
    [...links].filter(({ startup }) => startup.includes(`application_name\0${application}\0`))

  const proxy = {
    restore: async () => {
      const opened = createServer(accept)
      listening = opened
      await new Promise<void>((resolve) => opened.listen(ownPort, '127.0.0.1', resolve))
      const address = opened.address()
      if (address !== null && typeof address === 'object') ownPort = address.port
    },
    cut: async () => {
      const closed = new Promise((resolve) => listening?.close(resolve))
      for (const { client, server } of links) {
        client.destroy()
        server.destroy()
      }
      await closed
    },
    freeze: (application: string) => {
      for (const link of linksOf(application)) link.isFrozen = true
    },
    freezeAll: () => {
      isFrozen = true
      for (const link of links) link.isFrozen = true
    },
    reset: (application: string) => {
      for (const link of linksOf(application)) {
        link.isReset = true
        link.client.resetAndDestroy()
      }
    },
  }
  await proxy.restore()
  onTestFinished(proxy.cut)
  const url = new URL(target)
  url.port = String(ownPort)
  return { ...proxy, url: url.href }
}

const HEADER = 5
const NOTIFICATION = 'A'.charCodeAt(0)

/**
 * Passes on all messages of the server except notifications. A message consists of its type, its length without the
 * type, and its content.
 */
function withoutNotifications(): (data: Buffer) => Buffer {
  let rest = Buffer.alloc(0)
  return (data) => {
    rest = Buffer.concat([rest, data])
    const passed: Buffer[] = []
    while (rest.length >= HEADER) {
      const length = 1 + rest.readUInt32BE(1)
      if (rest.length < length) break
      if (rest[0] !== NOTIFICATION) passed.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    return Buffer.concat(passed)
  }
}
