/** A form of a page, as a browser without scripts reads it. */
export interface PageForm {
  /** Values that the untouched form sends. */
  readonly values: ReadonlyMap<string, readonly string[]>
  /** Names of fields, by how their values are sent. */
  readonly sentAs: ReadonlyMap<string, string>
  /** Names of fields that are marked as required. */
  readonly required: ReadonlySet<string>
  /** Options by name of the list: value → label. */
  readonly options: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Errors by field. */
  readonly errors: ReadonlyMap<string, string>
}

const TAG = /<(input|select|option|textarea|p|ul|div)\b((?:\s+[\w-]+(?:="[^"]*")?)*)\s*>|<\/(select|option)>/g

/** Reads the form of an object. */
export function readForm(page: string): PageForm {
  const start = page.search(/<form class="edit[ "]/)
  const form = page.slice(start, page.indexOf('</form>', start))
  const values = new Map<string, string[]>()
  const sentAs = new Map<string, string>()
  const options = new Map<string, Map<string, string>>()
  const errors = new Map<string, string>()
  const required = new Set<string>()
  const send = (name: string, value: string) => values.set(name, [...(values.get(name) ?? []), value])
  let select: { readonly name: string; readonly isMultiple: boolean } | undefined
  for (const match of form.matchAll(TAG)) {
    const [tag, element, attributeText = '', closed] = match
    const attributes = attributesOf(attributeText)
    const name = attributes.get('name') ?? ''
    const rest = form.slice(match.index + tag.length)
    if (element === 'div') {
      const field = attributes.get('data-field')
      const how = attributes.get('data-sent-as')
      if (field !== undefined && how !== undefined) sentAs.set(field, how)
      const caption = rest.slice(0, rest.search(/<\/label>|<div class="menu"/))
      if (field !== undefined && caption.includes('class="required"')) required.add(field)
    } else if ((element === 'p' || element === 'ul') && attributes.get('class') === 'error') {
      const field = (attributes.get('id') ?? '').replace(/^field-|-error$/g, '')
      errors.set(field, decoded(textsIn(rest.slice(0, rest.indexOf(`</${element}>`)))))
    } else if (element === 'select') {
      select = { name, isMultiple: attributes.has('multiple') }
      options.set(name, new Map())
    } else if (closed === 'select') {
      // Without a selected option a browser sends the first one of a list.
      const first = select && !select.isMultiple && !values.has(select.name)
      const value = select && [...(options.get(select.name)?.keys() ?? [])][0]
      if (first && select && value !== undefined) send(select.name, value)
      select = undefined
    } else if (element === 'option' && select) {
      const value = attributes.get('value') ?? ''
      options.get(select.name)?.set(value, decoded(rest.slice(0, rest.indexOf('</option>'))))
      if (attributes.has('selected')) send(select.name, value)
    } else if (element === 'textarea') {
      send(name, decoded(rest.slice(0, rest.indexOf('</textarea>')).replace(/^\n/, '')))
    } else if (element === 'input') {
      const type = attributes.get('type')
      const isOff = (type === 'checkbox' && !attributes.has('checked')) || type === 'file'
      if (name !== '' && !isOff) send(name, attributes.get('value') ?? (type === 'checkbox' ? 'on' : ''))
    }
  }
  return { values, sentAs, required, options, errors }
}

/** The text of one message, or those of a list. */
const textsIn = (markup: string): string =>
  markup
    .split(/(?:<\/?li>)+/)
    .filter(Boolean)
    .join(' ')

const attributesOf = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, decoded(value)]))

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

const decoded = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)

/** The body of a submitted form. */
export function formData(values: ReadonlyMap<string, readonly (string | Blob)[]>): FormData {
  const data = new FormData()
  for (const [name, list] of values) {
    for (const value of list) {
      if (typeof value === 'string') data.append(name, value)
      else data.append(name, value, 'example.png')
    }
  }
  return data
}
