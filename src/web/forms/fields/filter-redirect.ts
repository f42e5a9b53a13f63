/** Hidden field of the filter form: its query still has to be rewritten into the API's form. */
export const FORM_MARK = '_filters'

/** Prefix of the form field that holds the lookup of a filter. */
export const LOOKUP_PREFIX = '_lookup.'

/**
 * Query equivalent to a submitted filter form, without empty fields; undefined for URLs that do not come from the
 * form. An HTML form can only submit its fields as they are.
 */
export function queryOfForm(search: URLSearchParams): string | undefined {
  if (!search.has(FORM_MARK)) return undefined
  const result = new URLSearchParams()
  const used = new Map<string, number>()
  for (const [name, value] of search) {
    if (name === FORM_MARK || name.startsWith(LOOKUP_PREFIX)) continue
    // Several fields of one filter have one lookup each, in the same order.
    const place = used.get(name) ?? 0
    used.set(name, place + 1)
    if (value === '') continue
    const lookup = search.getAll(LOOKUP_PREFIX + name)[place] ?? 'exact'
    result.append(lookup === 'exact' ? name : `${name}__${lookup}`, value)
  }
  const query = result.toString()
  return query === '' ? '' : `?${query}`
}
