import { compareDeliveries, type RecordedDelivery } from './compare-deliveries.ts'
import type { Difference } from './difference.ts'
import { type Answer, type Client, jsonOf } from './http-client.ts'
import { IdMap } from './id-map.ts'
import { isList, isObject, type Json } from './json.ts'
import type { Outcome } from './outcome.ts'
import { resourceOf } from './resources.ts'
import { withScriptNames } from './script-scenario.ts'
import { compareStatus, unanswered } from './status.ts'
import type { Received, Receiver } from './webhook-receiver.ts'

/** Requests, their responses, and the deliveries that the receiver of webhooks got after each. */
export interface WebhookScenario {
  readonly scenario: string
  readonly steps: readonly WebhookStep[]
}

export interface WebhookStep {
  readonly request: {
    readonly method: string
    readonly path: string
    readonly body: Json
    /** Name of the user; null for none; absent for the superuser. */
    readonly user?: string | null
  }
  readonly response: { readonly status: number; readonly body: Json }
  readonly deliveries: readonly RecordedDelivery[]
}

/** The client and the receiver of all scenarios of a run. */
export interface WebhookRun {
  readonly client: Client
  readonly receiver: Receiver
}

/** Milliseconds to wait for expected deliveries, and for unexpected ones at the end of a scenario. */
const PATIENCE = 30_000
const AFTERMATH = 500
/** Endpoints whose responses are compared. */
const OWN = /^\/api\/extras\/(webhooks|event-rules|notification-groups|notifications)\//
/** Address of the recorded receiver. */
const RECORDED_HOST = '127.0.0.1:8599'

/** API tokens of the data set's users. */
const TOKENS: Readonly<Record<string, string>> = {
  alice: 'a11ce00000a11ce00000a11ce00000a11ce00000',
  bob: 'b0b0000000b0b0000000b0b0000000b0b0000000',
}

/** Replays one scenario and removes what it has created. Each step has an outcome. */
export async function runWebhookScenario(
  { scenario, steps }: WebhookScenario,
  { client, receiver }: WebhookRun,
): Promise<Outcome[]> {
  const replay = new Replay(client, receiver)
  const outcomes: Outcome[] = []
  for (const [index, step] of steps.entries()) {
    outcomes.push({
      part: 'webhooks',
      id: `webhook ${scenario} step ${index}`,
      scenario,
      resource: resourceOf(step.request.path),
      kind: scenario.split('/')[0] ?? scenario,
      context: 'webhook',
      differences: await replay.run(step),
    })
  }
  const late = await replay.end()
  const last = outcomes.at(-1)
  if (last && late > 0) {
    const cause = `${late} deliveries more than recorded`
    outcomes.splice(-1, 1, { ...last, differences: [...last.differences, { cause }] })
  }
  return outcomes
}

class Replay {
  readonly #client: Client
  readonly #receiver: Receiver
  readonly #ids = new IdMap()
  /** Paths of objects that were created. */
  readonly #created: string[] = []
  readonly #secrets: string[] = []

  constructor(client: Client, receiver: Receiver) {
    this.#client = client
    this.#receiver = receiver
  }

  async run({ request, response, deliveries }: WebhookStep): Promise<Difference[]> {
    let answer: Answer
    try {
      answer = await this.#send(request)
    } catch (error) {
      return [unanswered(error)]
    }
    const body = jsonOf(answer)
    if (response.status === answer.status) this.#ids.learn(response.body, body)
    if (answer.status === 201) this.#noteCreated(body)
    // Responses of other endpoints are compared by other parts.
    const status = OWN.test(request.path) && compareStatus(response.status, answer)
    const received = await this.#receiver.take(deliveries.length, PATIENCE)
    const differences = compareDeliveries(deliveries, received, {
      ids: this.#ids,
      host: this.#receiver.host,
      secrets: this.#secrets,
      isUnordered: request.method === 'DELETE',
    })
    return status ? [status, ...differences] : differences
  }

  #send({ method, path, body, user }: WebhookStep['request']): Promise<Answer> {
    const [collection = ''] = /[a-z]+\/[a-z0-9-]+/.exec(path.replace('/api/', '')) ?? []
    if (isObject(body) && typeof body.secret === 'string') this.#secrets.push(body.secret)
    const sent = JSON.stringify(this.#ids.translateBody(body, collection))
    return this.#client.send({
      method,
      path: withScriptNames(this.#ids.translate(path)),
      headers: {
        'Content-Type': 'application/json',
        ...(user !== undefined && {
          Authorization: user === null ? null : `Token ${TOKENS[user]}`,
        }),
      },
      body: body === null ? undefined : Buffer.from(sent.replaceAll(RECORDED_HOST, this.#receiver.host)),
    })
  }

  #noteCreated(body: Json | undefined): void {
    for (const object of isList(body) ? body : [body]) {
      if (isObject(object) && typeof object.url === 'string') {
        this.#created.push(new URL(object.url).pathname)
      }
    }
  }

  /**
   * Removes everything that the steps have left, rules first; returns the number of deliveries that no step expected.
   */
  async end(): Promise<number> {
    const late: readonly Received[] = await this.#receiver.take(1, AFTERMATH)
    const isRule = (path: string) => path.includes('/event-rules/')
    for (const path of [...this.#created.filter(isRule), ...this.#created.filter((path) => !isRule(path)).reverse()]) {
      await this.#client.send({ method: 'DELETE', path }).catch(() => undefined)
    }
    return late.length
  }
}
