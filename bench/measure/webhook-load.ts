import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Access, ask, send } from '../client.ts'
import type { Measurement } from '../result.ts'
import { summarise } from './summary.ts'
import { cpuBetween, cpuTimes, type Watched } from './usage.ts'

export const WEBHOOK_ROWS = {
  without: 'change a site, no webhook',
  with: 'change a site, ten webhooks',
  delivery: 'deliver a webhook',
} as const

const RULES = 10
const TURNS = 200
const WARM_UP = 50
/** Milliseconds from one change to the next, in which the deliveries of the last one are recorded. */
const PACE = 60
/** Sites of one bulk request, each with a delivery per rule. */
const SITES = 200

/** A receiver on this machine that counts requests and answers at once. */
class Receiver {
  #count = 0
  #wanted = Number.POSITIVE_INFINITY
  #reached = Promise.withResolvers<void>()
  readonly #server = createServer((request, response) => {
    request.resume()
    response.end()
    this.#count += 1
    if (this.#count >= this.#wanted) this.#reached.resolve()
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/` // It listens on a port.
  }

  /** Resolves when so many requests have come since the last call. */
  async received(count: number): Promise<void> {
    this.#wanted = count
    if (this.#count < count) await this.#reached.promise
    this.#count = 0
    this.#wanted = Number.POSITIVE_INFINITY
    this.#reached = Promise.withResolvers<void>()
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/**
 * Changes of a site without and with ten matching webhook rules, at the same pace: each is sent after the deliveries of the
 * last one, so that the rows differ by what a rule costs its write, and not by what the deliveries of others take up. And the
 * deliveries of a bulk change. The server must be allowed to send webhooks to this machine.
 */
export async function measureWebhooks(access: Access, watched: Watched): Promise<Measurement[]> {
  const receiver = new Receiver()
  const url = await receiver.listen()
  const made: string[] = []
  const create = async (path: string, body: unknown): Promise<number> => {
    const { id } = (await ask(access, 'POST', path, body)) as { id: number }
    made.push(`${path}${id}/`)
    return id
  }
  const mark = Date.now().toString(36)
  try {
    const site = await create('/api/dcim/sites/', { name: `hook ${mark}`, slug: `hook-${mark}` })
    const without = await changes(WEBHOOK_ROWS.without, site, async () => undefined)
    for (let index = 0; index < RULES; index++) {
      const name = `bench ${mark} ${index}`
      const webhook = await create('/api/extras/webhooks/', { name, payload_url: url })
      await create('/api/extras/event-rules/', {
        name,
        object_types: ['dcim.site'],
        event_types: ['object_updated'],
        action_type: 'webhook',
        action_object_type: 'extras.webhook',
        action_object_id: webhook,
      })
    }
    const withRules = await changes(WEBHOOK_ROWS.with, site, () => receiver.received(RULES))
    return [without, withRules, await deliveries()]
  } finally {
    for (const path of made.toReversed()) await ask(access, 'DELETE', path)
    receiver.close()
  }

  async function changes(name: string, site: number, settle: () => Promise<void>) {
    const times: number[] = []
    const before = cpuTimes(watched)
    for (let turn = 0; turn < WARM_UP + TURNS; turn++) {
      const body = { description: `changed ${turn}` }
      const { milliseconds } = await send(access, 'PATCH', `/api/dcim/sites/${site}/`, body)
      if (turn >= WARM_UP) times.push(milliseconds)
      await Promise.all([settle(), sleep(PACE)])
    }
    const cpu = cpuBetween(before, cpuTimes(watched))
    const seconds = times.reduce((sum, time) => sum + time, 0) / 1_000
    return summarise({ name, connections: 1, varied: true, times, seconds, bytes: 0, cpu })
  }

  async function deliveries() {
    const ids: number[] = []
    for (let index = 0; index < SITES; index++) {
      const name = `hook-${mark}-${index}`
      ids.push(await create('/api/dcim/sites/', { name, slug: name }))
    }
    const before = cpuTimes(watched)
    const start = performance.now()
    const body = ids.map((id) => ({ id, description: 'changed' }))
    await send(access, 'PATCH', '/api/dcim/sites/', body)
    await receiver.received(SITES * RULES)
    const milliseconds = performance.now() - start
    const count = SITES * RULES
    return summarise({
      name: WEBHOOK_ROWS.delivery,
      ...{ connections: 1, varied: true, bytes: 0 },
      times: Array.from({ length: count }, () => milliseconds / count),
      seconds: milliseconds / 1_000,
      cpu: cpuBetween(before, cpuTimes(watched)),
    })
  }
}
