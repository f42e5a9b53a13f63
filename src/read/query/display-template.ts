/** A part of a display text: words, a field's value, or a group that is left out when a value is empty. */
export type DisplayPart =
  | { readonly kind: 'words'; readonly words: string }
  | { readonly kind: 'value'; readonly path: string }
  | { readonly kind: 'optional'; readonly parts: readonly DisplayPart[] }

const TOKEN = /\{([^{}]+)\}|\[|\]|[^{}[\]]+/g

/** Parts of a template such as `{name}[ ({facility_id})]`. Throws for brackets that do not match. */
export function parseDisplay(template: string): readonly DisplayPart[] {
  const root: DisplayPart[] = []
  let group: DisplayPart[] | undefined
  for (const [token, path] of template.matchAll(TOKEN)) {
    const parts = group ?? root
    if (path !== undefined) parts.push({ kind: 'value', path })
    else if (token === '[' && !group) {
      group = []
      root.push({ kind: 'optional', parts: group })
    } else if (token === ']' && group) group = undefined
    else if (token === '[' || token === ']') throw new Error(`Brackets of ${template} do not match`)
    else parts.push({ kind: 'words', words: token })
  }
  if (group) throw new Error(`Brackets of ${template} do not match`)
  return root
}
