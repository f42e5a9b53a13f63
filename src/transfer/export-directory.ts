import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ConfigurationError } from '../base/errors.ts'
import type { ProgressListener } from '../base/progress.ts'
import type { Transaction } from '../db/database.ts'
import { PLAIN_FORM } from '../read/serialise/plan.ts'
import { projectionOf } from '../read/serialise/projection.ts'
import { fetchObjects } from '../read/serialise/read-objects.ts'
import { dataWithin } from '../read/serialise/read-source.ts'
import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { DirectoryStore, mediaStore } from '../write/media/media-store.ts'
import { EXTRA, isCollection } from './collections.ts'
import { HIDDEN_FIELDS } from './extra.ts'
import { hiddenColumns, hiddenLine, hiddenSelect } from './hidden-columns.ts'
import { copyMedia, MEDIA } from './media.ts'

interface ExportReport {
  readonly exported: readonly { readonly endpoint: string; readonly rows: number }[]
  /** Number of uploaded files. */
  readonly media: number
}

/** Placeholder for the address of the service, which differs if the data set is imported. */
const BASE = '{base}'
const PAGE = 500

/**
 * Writes all data as a data set that an import reads: a file of objects per endpoint, as the API shows them, hidden
 * fields in `extra/`, media files. It is a consistent snapshot. Passwords and tokens are written as they are stored,
 * never in plain text. Throws ConfigurationError for a directory that is not empty.
 */
export async function exportDataSet(
  service: Service,
  directory: string,
  progress?: ProgressListener,
): Promise<ExportReport> {
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw new ConfigurationError(`${directory} is not empty; name a new directory to export to.`)
  }
  const models = [...service.registry.models.values()].filter(isCollection)
  const exported = await service.database.transaction(async (transaction) => {
    await transaction.execute(sql`set transaction isolation level repeatable read, read only`)
    const done: { endpoint: string; rows: number }[] = []
    for (const [position, model] of models.entries()) {
      progress?.({ done: position, total: models.length, stage: model.path })
      const file = join(directory, `${model.path}.jsonl.gz`)
      done.push({
        endpoint: model.path,
        rows: await writeLines(file, linesOf(service, transaction, model)),
      })
    }
    const hidden = join(directory, EXTRA, `${HIDDEN_FIELDS}.jsonl.gz`)
    await writeLines(hidden, hiddenLines(transaction, models))
    return done
  })
  const media = await copyMedia({
    from: mediaStore(service.settings),
    to: new DirectoryStore(join(directory, MEDIA)),
  })
  return { exported, media: media.count }
}

async function* linesOf(service: Service, transaction: Transaction, model: Model): AsyncGenerator<string> {
  const projection = projectionOf(service, model, { brief: false, excludeContext: false, form: PLAIN_FORM })
  const source = dataWithin(service, transaction)
  for await (const rows of rowPages(transaction, model, sql`t.id`)) {
    const ids = rows.map(([id]) => Number(id))
    const texts = await fetchObjects(source, ids, projection, BASE)
    for (const id of ids) yield texts.get(id) ?? '{}'
  }
}

async function* hiddenLines(transaction: Transaction, models: readonly Model[]): AsyncGenerator<string> {
  for (const model of models) {
    const columns = hiddenColumns(model)
    if (columns.length === 0) continue
    for await (const rows of rowPages(transaction, model, hiddenSelect(columns))) {
      for (const row of rows) {
        const fields = hiddenLine(columns, row)
        if (fields) yield JSON.stringify({ endpoint: model.path, id: row[0], fields })
      }
    }
  }
}

/** All rows of a table in the order of their ids, which are the first column. */
export async function* rowPages(transaction: Transaction, model: Model, select: Sql): AsyncGenerator<unknown[][]> {
  let last = 0
  for (;;) {
    const rows = await transaction.queryArrays(sql`
      select ${select} from ${table(model)} t where t.id > ${last}::bigint
      order by t.id limit ${PAGE}`)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    last = Number(rows.at(-1)?.[0])
  }
}

async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  await mkdir(dirname(file), { recursive: true })
  let count = 0
  const counted = async function* () {
    for await (const line of lines) {
      count += 1
      yield `${line}\n`
    }
  }
  await pipeline(Readable.from(counted()), createGzip(), createWriteStream(file))
  return count
}
