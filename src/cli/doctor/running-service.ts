import type { Settings } from '../../config/settings.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Milliseconds within which a healthy service responds. */
const PATIENCE = 5_000
const ANYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** Checks that a service responds at the configured address. */
export async function checkService({ host, port, basePath }: Settings): Promise<Finding> {
  const name = ANYWHERE[host] ?? (host.includes(':') ? `[${host}]` : host)
  const address = `http://${name}:${port}${basePath}/health/ready`
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => undefined)
  if (!answer) {
    const advice = 'Start it, or set HOST, PORT and BASE_PATH as they are for the service.'
    return warning('service', `No service responds at ${address}.`, advice)
  }
  if (answer.ok) return ok('service', `The service at ${address} is ready.`)
  const advice = 'Read its log; the following lines may say why.'
  return warning('service', `The service at ${address} returns the status ${answer.status}.`, advice)
}
