import { createServer } from 'node:net'
import type { Settings } from '../config/settings.ts'
import { ConfigurationError, codeOf } from '../errors.ts'

type Place = Pick<Settings, 'host' | 'port'>

/** Listens for a moment. Throws ConfigurationError if the service could not listen at HOST and PORT. */
export async function checkListening({ host, port }: Place): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, resolve)
    })
  } catch (error) {
    throw listeningProblem(error, { host, port }) ?? error
  }
  await new Promise((resolve) => server.close(resolve))
}

/** The sentence for an error of `listen`; undefined if the configuration is not the cause. */
export function listeningProblem(error: unknown, { host, port }: Place): ConfigurationError | undefined {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    return new ConfigurationError(`PORT ${port} is taken by another program; choose another one.`)
  }
  if (code === 'EACCES') return new ConfigurationError(`PORT ${port} may not be used by this user.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigurationError(`HOST ${host} is not an address of this machine.`)
  }
  return undefined
}
