import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { translate } from '../texts/translate.ts'
import { shownTitle } from './model-title.ts'

/** Fields whose values name an object and are copied to other programs. */
export const ADDRESSES = ['address', 'prefix', 'mac_address'] as const

/** Fields that name an object. */
export const NAMING_FIELDS = ['name', 'cid', 'model', 'ssid', 'username', ...ADDRESSES, 'asn', 'title'] as const

/** The field of a form for a new object that takes its name; undefined if it has no name. */
export const namingField = (model: Model): string | undefined => NAMING_FIELDS.find((name) => model.fields.has(name))

/** What has happened to an object, by the type of the event. */
const EVENTS: ReadonlyMap<unknown, (object: string) => string> = new Map([
  ['object_created', (object) => translate('{object} created', { object })],
  ['object_updated', (object) => translate('{object} updated', { object })],
  ['object_deleted', (object) => translate('{object} deleted', { object })],
  ['job_started', (object) => translate('{object} started', { object })],
  ['job_completed', (object) => translate('{object} completed', { object })],
  ['job_failed', (object) => translate('{object} failed', { object })],
  ['date_reached', (object) => translate('{object}: date reached', { object })],
  ['job_errored', (object) => translate('{object} ended with an error', { object })],
])

/** As events, by the action of a change record. */
const ACTIONS: ReadonlyMap<unknown, string> = new Map([
  ['create', 'object_created'],
  ['update', 'object_updated'],
  ['delete', 'object_deleted'],
])

/**
 * The name of an object on its pages: its `display`, or for a change or a delivery its event in words, `Site Akron
 * updated`.
 */
export function shownName(registry: Registry, object: JsonObject): string {
  const { display, event_type: event, object_type: type, object_id: id, object: subject } = object
  if (isJsonObject(object.action) && 'changed_object_type' in object) {
    const changed = EVENTS.get(ACTIONS.get(object.action.value))
    const kind = registry.models.get(String(object.changed_object_type))
    return changed && kind ? changed(`${shownTitle(kind)} ${object.object_repr}`) : String(display)
  }
  // The reference calls every run of a script so.
  if ('job_id' in object && display === 'Run Script' && isJsonObject(subject))
    return String(subject.name ?? subject.display)
  const text = EVENTS.get(event)
  const model = registry.models.get(String(type))
  if (!text || !model) return String(display)
  return text(`${shownTitle(model)} ${isJsonObject(subject) ? subject.display : `#${id}`}`)
}
