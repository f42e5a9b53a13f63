import { onTestFinished } from 'vitest'
import { type Api, type Document, startApi } from '../support/api.ts'
import type { TestSettings } from '../support/settings.ts'
import { TestClock } from '../support/test-clock.ts'

/** A service that may send webhooks to this machine, without background loops: `settle` does the background work. */
export interface Scene {
  readonly api: Api
  readonly clock: TestClock
  /** Creates a webhook with a rule for all changes of sites; returns the id of the webhook. */
  addWebhook(webhook: Fields, rule?: Fields): Promise<number>
  /** Creates a site; returns its id. */
  addSite(name: string): Promise<number>
  /** Does all background work that is due. */
  settle(): Promise<void>
  /** The deliveries, oldest first. */
  deliveries(): Promise<readonly Document[]>
}

type Fields = Readonly<Record<string, unknown>>

const NETWORKS = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }

/** A service for one test. */
export async function sceneOfTest(environment: TestSettings = NETWORKS): Promise<Scene> {
  const clock = new TestClock()
  const api = await startApi(environment, undefined, clock)
  onTestFinished(() => api.close())
  let count = 0
  const create = async (path: string, body: Fields): Promise<number> => {
    const { status, text, json } = await api.ask('POST', path, { body })
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
    return Number(json.id)
  }
  return {
    api,
    clock,
    addWebhook: async (webhook, rule = {}) => {
      count += 1
      const id = await create('/api/extras/webhooks/', { name: `hook ${count}`, ...webhook })
      await create('/api/extras/event-rules/', {
        name: `rule ${count}`,
        object_types: ['dcim.site'],
        event_types: ['object_created', 'object_updated', 'object_deleted'],
        action_type: 'webhook',
        action_object_type: 'extras.webhook',
        action_object_id: id,
        ...rule,
      })
      return id
    },
    addSite: (name) => create('/api/dcim/sites/', { name, slug: name }),
    settle: () => api.background.runUntilIdle(),
    deliveries: async () => {
      const { json } = await api.ask('GET', '/api/extras/webhook-deliveries/?ordering=id')
      return json.results ?? []
    },
  }
}
