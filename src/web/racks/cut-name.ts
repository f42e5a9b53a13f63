import { type Html, html } from '../html.ts'

/** The place between two parts of a name: after a separator, or before a number; never within a character. */
const isBoundary = (name: string, at: number): boolean =>
  ((name.codePointAt(at - 1) ?? 0) <= 0xffff && /[^\p{L}\p{N}]/u.test(name.charAt(at - 1))) ||
  (/\d/.test(name.charAt(at)) && !/\d/.test(name.charAt(at - 1)))

/** Length of the start of the name, in whole parts, that another one of the names shares. */
export function sharedStart(name: string, names: readonly string[]): number {
  let shared = 0
  for (const other of names) {
    if (other === name) continue
    let length = 0
    while (length < name.length && name[length] === other[length]) length += 1
    if (length > shared) shared = length
  }
  while (shared > 0 && !isBoundary(name, shared)) shared -= 1
  return shared < name.length ? shared : 0
}

/** A name that gives up what it shares with others of the names first if there is too little room. */
export function cutName(name: string, names: readonly string[]): Html {
  const shared = sharedStart(name, names)
  if (shared === 0) return html`<bdi>${name}</bdi>`
  return html`<bdi class="cut"><span>${name.slice(0, shared)}</span><span>${name.slice(shared)}</span></bdi>`
}
