import { describe, expect, it } from 'vitest'
import type { Model } from '../../schema/registry.ts'
import type { ChangeEvent, ObjectEventType } from './changes.ts'
import { coalesced } from './journal.ts'

const model = { name: 'dcim.site' } as Model // nothing else of it is used
const gone = '{}'

const event = (type: ObjectEventType, before: string | null, after: string | null): ChangeEvent => ({
  ...{ model, id: 1, type, display: 'it', before, after },
  gone: type === 'object_deleted' ? gone : undefined,
})

describe('the event of several changes of an object in one request', () => {
  it.each([
    [
      'a creation and a change are a creation with the last state',
      [event('object_created', null, 'a'), event('object_updated', 'a', 'b')],
      { type: 'object_created', before: null, after: 'b', gone: undefined },
    ],
    [
      'two changes are one from the first state to the last',
      [event('object_updated', 'a', 'b'), event('object_updated', 'b', 'c')],
      { type: 'object_updated', before: 'a', after: 'c', gone: undefined },
    ],
    [
      'a change and a deletion are a deletion from the first state',
      [event('object_updated', 'a', 'b'), event('object_deleted', 'b', null)],
      { type: 'object_deleted', before: 'a', after: null, gone },
    ],
    [
      'a creation and a deletion are a deletion',
      [event('object_created', null, 'a'), event('object_deleted', 'a', null)],
      { type: 'object_deleted', before: null, after: null, gone },
    ],
  ] as const)('%s', (_name, changes, expected) => {
    const result = changes.reduce<ChangeEvent | undefined>(coalesced, undefined)
    expect(result).toMatchObject(expected)
  })
})
