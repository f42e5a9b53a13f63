import { randomInt } from 'node:crypto'
import { behaviour, type EffectFunction, type Normalizer } from '../../schema/rule.ts'
import { volatile } from '../../sql/fragment.ts'
import { branch } from './branch.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 8

/** Gives a new branch its name for the header of requests. */
const giveSchemaId: Normalizer<typeof branch.fields> = ({ previous }) =>
  previous
    ? undefined
    : { schema_id: Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('') }

/** Deleting a branch deletes its rows. */
const discardRows: EffectFunction<typeof branch.fields> = async ({ action, rows, database }) => {
  if (action !== 'delete') return
  const ids = rows.flatMap(({ previous }) => previous?.id ?? [])
  await database.query(volatile`select branch.discard(id) from unnest(${ids}::bigint[]) id`)
}

export const branchBehaviour = behaviour(branch, { normalize: [giveSchemaId], afterWrite: [discardRows] })
