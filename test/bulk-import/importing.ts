import { randomUUID } from 'node:crypto'
import type { User } from '../../src/identity/actor.ts'
import { readRecords } from '../../src/transfer/bulk-import/read-records.ts'
import type { ImportFormat } from '../../src/transfer/bulk-import/records.ts'
import { type ImportInput, runImport } from '../../src/transfer/bulk-import/run-import.ts'
import { type Inventory, TESTER } from '../support/inventory.ts'

type Options = Omit<ImportInput, 'records'> & {
  readonly isPreview?: boolean
  readonly format?: ImportFormat
  readonly actor?: User
}

/** Imports a text as a superuser does. */
export const importing =
  ({ service }: Inventory) =>
  (model: string, text: string, { isPreview = false, actor = TESTER, format, ...options }: Options = {}) =>
    runImport(
      service,
      { actor, requestId: randomUUID() },
      service.registry.model(model),
      { records: readRecords(text, { format }), ...options },
      { isPreview },
    )
