import { createHmac } from 'node:crypto'
import { compare, literal } from './compare.ts'
import type { Difference } from './difference.ts'
import type { IdMap } from './id-map.ts'
import { isList, isObject, type Json, short } from './json.ts'
import { differencesOf } from './mismatch-cause.ts'
import type { Received } from './webhook-receiver.ts'

/** A request that the recorded receiver received; `body` is the document if it was JSON, otherwise the text. */
export interface RecordedDelivery {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

/** Facts that a comparison of deliveries needs besides their recordings. */
export interface DeliveryContext {
  readonly ids: IdMap
  /** Host of the receiver here. */
  readonly host: string
  /** Secrets of the scenario's webhooks. */
  readonly secrets: readonly string[]
  /** Deletions cascade in another order, so the deliveries of a step are compared as a set. */
  readonly isUnordered: boolean
}

/** Differences between the deliveries of a step and the recorded ones. */
export function compareDeliveries(
  recorded: readonly RecordedDelivery[],
  received: readonly Received[],
  context: DeliveryContext,
): Difference[] {
  if (recorded.length !== received.length) {
    return [
      {
        cause: `${received.length} deliveries instead of ${recorded.length}`,
        expected: short(recorded.map(({ body }) => labelOf(body))),
        actual: short(received.map((each) => labelOf(bodyOf(each)))),
      },
    ]
  }
  const inOrder = context.isUnordered ? arranged(recorded, received, context.ids) : received
  return recorded.flatMap((expected, index) => {
    const actual = inOrder[index]
    return actual ? compareDelivery(expected, actual, context) : []
  })
}

/** `created dcim.site WH Site`, or the start of any other body. */
function labelOf(body: Json): string {
  if (!isObject(body) || !isObject(body.data)) return short(body, 60)
  return `${body.event} ${body.object_type} ${body.data.display}`
}

/** The received deliveries in the order of the recorded ones that they resemble most. */
function arranged(
  recorded: readonly RecordedDelivery[],
  received: readonly Received[],
  ids: IdMap,
): readonly Received[] {
  const rest = [...received]
  return recorded.flatMap(({ body }) => {
    const isSame = (each: Received) => {
      const actual = bodyOf(each)
      if (!isObject(body) || !isObject(actual) || !isObject(body.data) || !isObject(actual.data)) {
        return false
      }
      const [one, other] = [body.data.id, actual.data.id]
      const isObjectSame =
        one === other || (typeof one === 'number' && typeof other === 'number' && ids.isPair(one, other))
      return isObjectSame && body.object_type === actual.object_type
    }
    const index = Math.max(0, rest.findIndex(isSame))
    return rest.splice(index, 1)
  })
}

function compareDelivery(expected: RecordedDelivery, actual: Received, context: DeliveryContext): Difference[] {
  const { ids } = context
  const body = bodyOf(actual)
  if (isObject(body) && body.event === 'created') ids.learn(expected.body, body)
  const aligned = align(expected.body, body, '', ids)
  const differences: Difference[] = []
  const differ = (cause: string, one: string, other: string) => {
    if (one !== other) differences.push({ cause, expected: one, actual: other })
  }
  differ('the method differs', expected.method, actual.method)
  differ('the path differs', ids.translate(expected.path), actual.path)
  differences.push(...compareHeaders(expected, actual, context))
  differences.push(...differencesOf(compare(withoutTreeColumns(expected.body), aligned, literal)))
  differences.push(...compareFormat(expected.body, actual, body))
  return differences
}

/** Key order and separators; the keys of snapshots may have any order. */
function compareFormat(expected: Json, { body: bytes }: Received, body: Json): Difference[] {
  if (!isObject(expected) || !isObject(body) || !('data' in expected)) return []
  const differences: Difference[] = []
  const keys = (value: Json | undefined) => (isObject(value) ? Object.keys(value).join() : '')
  for (const [name, one, other] of [
    ['document', expected, body],
    ['data', expected.data, body.data],
    ['request', expected.request, body.request],
  ] as const) {
    if (keys(one) !== keys(other)) {
      const shown = { expected: short(keys(one)), actual: short(keys(other)) }
      differences.push({ cause: `the keys of the ${name} have another order`, ...shown })
    }
  }
  const text = bytes.toString('utf8')
  if (!text.startsWith('{"event": "') || /[^ -~]/.test(text)) {
    differences.push({ cause: 'the text is not formatted as by Python', actual: short(text) })
  }
  return differences
}

const bodyOf = ({ body }: Received): Json => {
  const text = body.toString('utf8')
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** Headers that differ in every run: the client's name and values that depend on ids and timestamps. */
const VOLATILE: ReadonlySet<string> = new Set(['content-length', 'x-hook-signature'])

function compareHeaders(
  { headers: recorded }: RecordedDelivery,
  { headers: actual, body }: Received,
  { host, ids, secrets }: DeliveryContext,
): Difference[] {
  const differences: Difference[] = []
  for (const [name, value] of Object.entries(recorded)) {
    const key = name.toLowerCase()
    if (VOLATILE.has(key) || value.startsWith('python-')) continue
    const isHost = key === 'host' && value.startsWith('127.0.0.1')
    const expected = isHost ? host : ids.translate(value)
    if (actual[key] !== expected) {
      differences.push({ cause: `header ${name} differs`, expected, actual: String(actual[key]) })
    }
  }
  const signature = actual['x-hook-signature']
  const isSigned = 'X-Hook-Signature' in recorded
  const isRight =
    signature === undefined
      ? !isSigned
      : secrets.some((secret) => createHmac('sha512', secret).update(body).digest('hex') === signature)
  if (!isRight) differences.push({ cause: 'header X-Hook-Signature differs' })
  return differences
}

/** Values that are never the same. */
const TIMES: ReadonlySet<string> = new Set([...['created', 'last_updated', 'timestamp', 'request_id', 'time']])
/** Ids without a URL: of cable terminations and paths. */
const INTERNAL_IDS: ReadonlySet<string> = new Set(['a_terminations', 'b_terminations', '_path'])
/** Positions in the nested sets of the reference's trees, which depend on all other rows and do not exist here. */
const TREE_COLUMNS: ReadonlySet<string> = new Set(['lft', 'rght', 'tree_id', 'level'])
const TIME = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?/g

/** The recorded document without the tree columns of its snapshots. */
function withoutTreeColumns(document: Json): Json {
  if (!isObject(document) || !isObject(document.snapshots)) return document
  const snapshots = Object.fromEntries(
    Object.entries(document.snapshots).map(([name, snapshot]) => [
      name,
      isObject(snapshot)
        ? Object.fromEntries(Object.entries(snapshot).filter(([key]) => !TREE_COLUMNS.has(key)))
        : snapshot,
    ]),
  )
  return { ...document, snapshots }
}

/** The actual document with recorded values in place of volatile ones and of ids that correspond to each other. */
function align(expected: Json | undefined, actual: Json, key: string, ids: IdMap): Json {
  if (expected === undefined) return actual
  if (isList(expected) && isList(actual)) {
    return actual.map((item, index) => align(expected[index], item, key, ids))
  }
  if (isObject(expected) && isObject(actual)) {
    const isRequest = key === 'request' || key === 'req'
    return Object.fromEntries(
      Object.entries(actual).map(([name, value]) => [
        name,
        align(expected[name], value, isRequest && name === 'id' ? 'request_id' : name, ids),
      ]),
    )
  }
  if (typeof expected !== typeof actual || expected === null) return actual
  if (TIMES.has(key) || INTERNAL_IDS.has(key)) return expected
  if (typeof expected === 'number' && typeof actual === 'number') {
    return ids.isPair(expected, actual) ? expected : actual
  }
  if (typeof expected === 'string' && typeof actual === 'string') {
    const here = ids.translate(expected).replace(TIME, '')
    if (here === actual.replace(TIME, '')) return expected
    const display = /^#(\d+)$/
    const [one, other] = [display.exec(expected)?.[1], display.exec(actual)?.[1]]
    if (one !== undefined && ids.isPair(Number(one), Number(other))) return expected
  }
  return actual
}
