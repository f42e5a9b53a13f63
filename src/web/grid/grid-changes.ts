import type { FormValues } from '../../api/transport/body.ts'
import type { Records } from '../../transfer/bulk-import/records.ts'
import type { ImportResult } from '../../transfer/bulk-import/run-import.ts'
import { textIn } from '../forms/form-texts.ts'
import type { GridColumn } from './grid-columns.ts'

/** Texts of cells by the id of their object and the name of their column. */
export type CellTexts = ReadonlyMap<number, ReadonlyMap<string, string>>

/** Name of a cell's form field. */
export const cellName = (id: number, column: string): string => `${id}.${column}`

/** Name of the field with the texts with which the form was shown. */
export const SHOWN_CELLS = '_shown'

/** The texts of a form that was sent, for these objects. */
export const enteredTexts = (form: FormValues, ids: readonly number[], columns: readonly GridColumn[]): CellTexts =>
  new Map(
    ids.map((id) => [
      id,
      new Map(
        columns.flatMap(({ name }) => {
          const key = cellName(id, name)
          return form.has(key) ? [[name, textIn(form, key).trim()] as const] : []
        }),
      ),
    ]),
  )

/** The texts with which the form was shown; the given ones if the form does not contain them. */
export function shownTextsOf(form: FormValues, fallback: CellTexts): CellTexts {
  const sent = documentIn(textIn(form, SHOWN_CELLS))
  return new Map(
    [...fallback].map(([id, texts]) => {
      const sentRow = sent[String(id)]
      return [
        id,
        new Map(
          [...texts].map(([name, text]) => {
            const initial = sentRow?.[name]
            return [name, typeof initial === 'string' ? initial : text]
          }),
        ),
      ]
    }),
  )
}

function documentIn(text: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, Record<string, unknown>>) // values are checked where they are used
      : {}
  } catch {
    return {}
  }
}

/** The texts as hidden values of the form. */
export const shownTextsDocument = (texts: CellTexts): string =>
  JSON.stringify(Object.fromEntries([...texts].map(([id, cells]) => [id, Object.fromEntries(cells)])))

/** Cells that differ from those with which the form was shown. */
export function changedCells(entered: CellTexts, initial: CellTexts): CellTexts {
  return new Map(
    [...entered].flatMap(([id, texts]) => {
      const before = initial.get(id)
      const changed = [...texts].filter(([name, text]) => text !== (before?.get(name) ?? '').trim())
      return changed.length > 0 ? [[id, new Map(changed)] as const] : []
    }),
  )
}

/** Changed cells as the records of an import, one for each object. */
export function recordsOf(changed: CellTexts, message: string): Records {
  const names = new Set([...changed.values()].flatMap((texts) => [...texts.keys()]))
  const note = message === '' ? {} : { changelog_message: message }
  return {
    format: 'json',
    columns: ['id', ...names, ...Object.keys(note)],
    records: [...changed].map(([id, texts], index) => ({
      row: index + 1,
      cells: { id: String(id), ...Object.fromEntries(texts), ...note },
    })),
    problems: [],
  }
}

/** Sentences about refused cells, by id and column; those about a whole row under the empty name, others under the id 0. */
export function problemsOfCells(changed: CellTexts, { problems }: Pick<ImportResult, 'problems'>): CellTexts {
  const ids = [...changed.keys()]
  const messages = new Map<number, Map<string, string>>()
  for (const { row, column = '', message } of problems) {
    const id = row === undefined ? 0 : (ids[row - 1] ?? 0)
    const rowMessages = messages.get(id) ?? new Map<string, string>()
    const name = changed.get(id)?.has(column) ? column : ''
    const place = name === '' && column !== '' ? `${column}: ${message}` : message
    rowMessages.set(name, [rowMessages.get(name), place].filter(Boolean).join(' '))
    messages.set(id, rowMessages)
  }
  return messages
}
