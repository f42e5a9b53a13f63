/** Hidden field of the form of filters: the address still has to be put into its usual form. */
export const FORM_MARK = '_filters'

/** In front of a filter's name: the field that holds the lookup to ask by. */
export const LOOKUP_PREFIX = '_lookup.'

/**
 * Query of what the form of filters asks for, without the fields that were left empty; undefined where
 * the address does not come from the form. A plain form can send nothing but its fields as they are.
 */
export function queryOfForm(search: URLSearchParams): string | undefined {
  if (!search.has(FORM_MARK)) return undefined
  const result = new URLSearchParams()
  const used = new Map<string, number>()
  for (const [name, value] of search) {
    if (name === FORM_MARK || name.startsWith(LOOKUP_PREFIX)) continue
    // Several fields of one filter have a lookup each, in the same order.
    const place = used.get(name) ?? 0
    used.set(name, place + 1)
    if (value === '') continue
    const lookup = search.getAll(LOOKUP_PREFIX + name)[place] ?? 'exact'
    result.append(lookup === 'exact' ? name : `${name}__${lookup}`, value)
  }
  const query = result.toString()
  return query === '' ? '' : `?${query}`
}
