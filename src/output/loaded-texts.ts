import type { RowValues } from '../cache/cached-rows.ts'
import type { TextsById } from '../schema/computed.ts'
import type { JsonBytes } from './json-bytes.ts'
import type { JsonText } from './json-text.ts'
import type { Loaded, MemberWriter, Texts, TextsInParts } from './plan.ts'

/** Nested texts by the ids of their objects. */
export class NestedTexts implements TextsById, TextsInParts {
  readonly #values: RowValues<JsonText>

  constructor(values: RowValues<JsonText>) {
    this.#values = values
  }

  get(id: number): string | undefined {
    return this.#values.get(id)?.toString()
  }

  write(out: JsonBytes, id: number): boolean {
    const text = this.#values.get(id)
    if (text) out.piece(text.bytes)
    return text !== undefined
  }

  /** Writes a JSON list of the texts; objects that are gone are left out. */
  writeList(out: JsonBytes, ids: Iterable<number>): void {
    out.piece(OPEN)
    let isFirst = true
    for (const id of ids) {
      const text = this.#values.get(id)
      if (!text) continue
      if (!isFirst) out.piece(COMMA)
      out.piece(text.bytes)
      isFirst = false
    }
    out.piece(CLOSE)
  }
}

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')

/** Writes the text under the id, or another one where there is none. */
export function writeText(
  out: JsonBytes,
  texts: Texts | undefined,
  id: number,
  otherwise: string,
): void {
  if (!texts) out.text(otherwise)
  else if (!('write' in texts)) out.text(texts.get(id) ?? otherwise)
  else if (!texts.write(out, id)) out.text(otherwise)
}

/** Writes what the load at the position has brought for the row. */
export const loadedForRow = (position: number, otherwise: string): MemberWriter => ({
  write: (out, row, loaded) => writeText(out, loaded[position], Number(row[0]), otherwise),
})

/** The text that the load at the position has brought under the id; undefined where it writes its texts in parts. */
export function loadedText(loaded: Loaded, position: number, id: unknown): string | undefined {
  const texts = loaded[position]
  return texts && 'get' in texts ? texts.get(Number(id)) : undefined
}
