import { isList, isObject, type Json } from './json.ts'

const OBJECT_URL = /\/(?:api\/)?([a-z]+\/[a-z0-9-]+)\/(\d+)\//g
const WHOLE_URL = /\/api\/([a-z]+\/[a-z0-9-]+)\/(\d+)\/$/

/** Ids of recorded objects and of the corresponding objects here. */
export class IdMap {
  /** Ids here by recorded id, by collection. */
  readonly #here = new Map<string, Map<number, number>>()
  readonly #pairs = new Set<string>()

  /** Learns the ids of objects at the same places in both documents. */
  learn(recorded: Json | undefined, actual: Json | undefined): void {
    if (isList(recorded) && isList(actual)) {
      for (const [index, item] of recorded.entries()) this.learn(item, actual[index])
    } else if (isObject(recorded) && isObject(actual)) {
      const [one, other] = [urlOf(recorded.url), urlOf(actual.url)]
      if (one && other && one.collection === other.collection) {
        this.#add(one.collection, one.id, other.id)
      }
      for (const [key, value] of Object.entries(recorded)) this.learn(value, actual[key])
    }
  }

  #add(collection: string, recorded: number, here: number): void {
    const ids = this.#here.get(collection) ?? new Map<number, number>()
    this.#here.set(collection, ids)
    if (ids.has(recorded)) return
    ids.set(recorded, here)
    this.#pairs.add(`${recorded} ${here}`)
  }

  /** Whether the number here corresponds to the recorded one in any collection. */
  isPair(recorded: number, here: number): boolean {
    return this.#pairs.has(`${recorded} ${here}`)
  }

  /** A path or URL with ids of this service in place of recorded ones. */
  translate(text: string): string {
    const path = text.replace(OBJECT_URL, (all, collection: string, id: string) => {
      const here = this.#here.get(collection)?.get(Number(id))
      return here === undefined ? all : all.replace(`/${id}/`, `/${here}/`)
    })
    return path.replace(/([?&])([a-z_]+)_id=(\d+)/g, (all, mark: string, name: string, id: string) => {
      const here = this.idFor(name, Number(id))
      return here === undefined ? all : `${mark}${name}_id=${here}`
    })
  }

  /** The document that a request sends, with ids of this service; `collection` is that of its path. */
  translateBody(body: Json, collection: string, key = 'id', owner: Json = null): Json {
    if (isList(body)) return body.map((item) => this.translateBody(item, collection, key, owner))
    if (isObject(body)) {
      return Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, this.translateBody(value, collection, name, body)]),
      )
    }
    if (typeof body !== 'number') return body
    if (key === 'id') return this.#here.get(collection)?.get(body) ?? body
    const type = isObject(owner) ? owner[key.replace(/_id$/, '_type')] : undefined
    const name = typeof type === 'string' ? (type.split('.')[1] ?? '') : key
    return this.idFor(name, body) ?? body
  }

  /** Id here of the recorded object to which a field or parameter of this name refers. */
  idFor(name: string, recorded: number): number | undefined {
    const endpoints = (ENDPOINTS[name] ?? [name, `${name}s`]).map((each) => each.replaceAll('_', ''))
    for (const [collection, ids] of this.#here) {
      const endpoint = collection.split('/')[1]?.replaceAll('-', '') ?? ''
      if (endpoints.includes(endpoint) && ids.has(recorded)) return ids.get(recorded)
    }
    return undefined
  }
}

/** Endpoints of fields that are not named like the plural of the field. */
const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  parent: ['regions', 'site_groups', 'tenant_groups'],
  group: ['vlan_groups'],
  role: ['roles'],
  primary_ip4: ['ip_addresses'],
  journalentry: ['journal_entries'],
  notificationgroup: ['notification_groups'],
}

function urlOf(value: Json | undefined): { collection: string; id: number } | undefined {
  if (typeof value !== 'string') return undefined
  const [, collection, id] = WHOLE_URL.exec(value) ?? []
  return collection === undefined ? undefined : { collection, id: Number(id) }
}
