import { choices } from '../../schema/choices.ts'
import { custom } from '../../schema/filter.ts'
import { sql } from '../../sql/fragment.ts'
import { interfaceType } from './choices/interface-type.ts'
import { isVirtual, isWireless } from './interface-kind.ts'

type Predicate = (type: string) => boolean

const KINDS: Readonly<Record<string, Predicate>> = {
  virtual: isVirtual,
  wireless: isWireless,
  physical: (type) => !isVirtual(type) && !isWireless(type),
}

const interfaceKind = choices([
  ['physical', 'Physical'],
  ['virtual', 'Virtual'],
  ['wireless', 'Wireless'],
])

/** `physical`, `virtual` or `wireless`; other values match nothing. */
export const kindFilter = custom({
  value: 'text',
  choices: interfaceKind,
  multiple: false,
  where: ({ column }, [kind]) => {
    const isWanted: Predicate = KINDS[String(kind)] ?? (() => false)
    const types = interfaceType.list.map(({ value }) => value).filter(isWanted)
    return sql`${column('type')} = any(${types}::text[])`
  },
})
