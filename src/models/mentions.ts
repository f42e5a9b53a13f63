import type { Effect } from '../schema/rule.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'

/** A text about an object, in which `@name` mentions a user. */
interface WrittenText {
  readonly objectType: string
  readonly objectId: number
  /** Undefined if it has been deleted. */
  readonly text: string | undefined
  /** Before the change. */
  readonly earlier: string | undefined
}

/** A name of a user after an @ that is not part of an e-mail address. */
const MENTION = /(?<![\w.@+-])@([\w.@+-]{1,150})/gu

/** Names that the text may mention, without the `ignored` ones: a full stop at the end may belong to the sentence. */
function mentionsIn(text: string, ignored: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  const names = [...text.matchAll(MENTION)].map(([, name = '']) => name)
  return new Set(names.flatMap((name) => [name, name.replace(/[.+@-]+$/, '')]).filter((name) => !ignored.has(name)))
}

/** Notifies the users whom the texts mention, and did not mention before. */
export async function notifyMentioned(
  { database, notify, action }: Pick<Effect<never>, 'database' | 'notify' | 'action'>,
  texts: readonly WrittenText[],
): Promise<void> {
  if (action !== 'create' && action !== 'update') return
  const mentions = texts.map(({ text = '', earlier = '' }) => mentionsIn(text, mentionsIn(earlier)))
  const names = [...new Set(mentions.flatMap((mentioned) => [...mentioned]))]
  if (names.length === 0) return
  const rows = await database.query<{ id: number; username: string }>(sql`
    select u.id, u.username from ${table(SYSTEM.user)} u where u.username = any(${names}::text[])`)
  await notify(
    texts.map(({ objectType, objectId }, index) => ({
      objectType,
      objectId,
      text: 'Mentioned',
      users: rows.filter(({ username }) => mentions[index]?.has(username)).map(({ id }) => id),
    })),
  )
}
