import type { IntegerField } from '../../schema/fields/integer.ts'
import type { TextField } from '../../schema/fields/text.ts'
import type { Definition } from '../../schema/model.ts'
import type { EffectFunction, Refusal, RowOf } from '../../schema/rule.ts'
import { identifier, join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { isVirtual, isWireless } from './interface-kind.ts'

// Channels of interfaces and of interface templates. NetBox 4.7.3 as recorded.

interface Channelized {
  readonly type: string
  readonly channels: number | null
  readonly channel_id: number | null
  readonly parent: number | null
}

const isPhysical = (type: string): boolean => !isVirtual(type) && !isWireless(type)

/** Checks the number of channels of an interface, or the number of the channel that the interface itself is. */
export function channelsAreClear({ next }: { readonly next: Channelized }): Refusal | undefined {
  const { type, channels, channel_id: number, parent } = next
  if (channels !== null && !isPhysical(type)) return { channels: 'Only physical interfaces have channels.' }
  if (channels !== null && number !== null) return { channel_id: 'A channel cannot have channels of its own.' }
  if (number !== null && parent === null) return { parent: 'A channel needs a parent interface.' }
  if (number !== null && type !== 'channel' && !isPhysical(type)) {
    return { type: 'A channel must have the type "channel" or a physical type.' }
  }
  return type === 'channel' && number === null ? { channel_id: 'Enter the number of the channel.' } : undefined
}

/** Checks that the parent of a channel has that channel. */
export function parentHasChannel(number: number | null, parent: Pick<Channelized, 'channels'>): Refusal | undefined {
  if (number === null) return undefined
  if (parent.channels === null) return { parent: 'The parent interface has no channels.' }
  return number > parent.channels ? { channel_id: `The parent interface has ${parent.channels} channels.` } : undefined
}

/** Refuses fewer channels than are in use. */
export const keepsChannels = (
  channels: number | null,
  children: readonly Pick<Channelized, 'channel_id'>[],
): Refusal | undefined =>
  children.some(({ channel_id: number }) => number !== null && number > (channels ?? 0))
    ? { channels: 'A channel with a higher number is in use.' }
    : undefined

/** The common columns of interfaces and interface templates. */
type Named = { readonly name: TextField; readonly channels: IntegerField<number | null> }

/**
 * When a parent is renamed, renames the channels whose name is that of the parent and their number, unless the name is
 * taken among the interfaces with the same `holders`, which are columns.
 */
export const renameChannels =
  (model: Definition, holders: readonly string[]): EffectFunction<Named> =>
  async ({ action, rows, database, write }) => {
    if (action !== 'update') return
    for (const { previous, next } of rows) {
      if (!previous || !next || next.channels === null || previous.name === next.name) continue
      const channels = await database.query<{ id: number; name: string }>(sql`
        select t.id, ${next.name} || ':' || t.channel_id as name from ${table(model.name)} t
        where t.parent_id = ${next.id}::bigint and t.name = ${previous.name} || ':' || t.channel_id
          and not exists (
            select from ${table(model.name)} other
            where other.name = ${next.name} || ':' || t.channel_id and ${join(
              holders.map((column) => {
                const value = identifier('t', column)
                return sql`${identifier('other', column)} is not distinct from ${value}`
              }),
              ' and ',
            )})
        order by t.id`)
      if (channels.length > 0) {
        // Both models have the field.
        await write.update(model, channels as (Partial<RowOf<Named>> & { readonly id: number })[])
      }
    }
  }
