import { oncePer } from '../schema/once-per.ts'
import { bytesBehind, valueEnd } from '../sql/undecoded.ts'
import type { JsonBytes } from './json-bytes.ts'
import type { Loaded, ReadPlan, ValueRow, WriteValue } from './plan.ts'

/** Writes a row as a JSON object, with what the plan's loads have brought. `base`: see Reader. */
export type WriteRow = (out: JsonBytes, row: ValueRow, loaded: Loaded, base: string) => void

const EMPTY_OBJECT = '{}'
const END = Buffer.from('}')

/** Writes rows whose columns begin as the plan's do. */
export const rowWriterOf = oncePer(({ parts }: ReadPlan): WriteRow => {
  if (parts.length === 0) return (out) => out.text(EMPTY_OBJECT)
  const members = parts.map(({ head, write, column }) => ({
    ...{ write, index: column?.index ?? 0, writeBytes: column?.write },
    head: Buffer.from(head),
    withNull: Buffer.from(`${head}null`),
  }))
  return (out, row, loaded, base) => {
    const bytes = bytesBehind(row)
    for (const { head, withNull, write, index, writeBytes } of members) {
      if (!bytes || !writeBytes) {
        out.piece(head)
        write(out, row, loaded, base)
        continue
      }
      const start = row[index]
      if (typeof start === 'number') {
        out.piece(head)
        writeBytes(out, bytes, start, valueEnd(bytes, start))
      } else out.piece(withNull)
    }
    out.piece(END)
  }
})

/** As `rowWriterOf`, as texts, for plans of which all fields are. Small texts that become parts of others are made faster without bytes. */
export const rowTextOf = oncePer(({ model, parts }: ReadPlan): WriteValue => {
  const members = parts.map(({ head, text }) => {
    if (!text) throw new Error(`${model.name}: ${head} is not written as a text`)
    return { head, text }
  })
  return (row, loaded, base) => {
    let json = members.length === 0 ? '{' : ''
    for (const { head, text } of members) json += head + text(row, loaded, base)
    return `${json}}`
  }
})
