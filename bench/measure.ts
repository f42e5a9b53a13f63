import autocannon from 'autocannon'
import { build, type Histogram } from 'hdr-histogram-js'
import { SERVER_TOKEN } from '../test/support/server.ts'
import { type Collection, type Read, readsOf, type Samples, samplesOf, writesOf } from './requests.ts'
import type { Subject } from './subject.ts'

/** Times of one kind of request in one mode, one histogram in microseconds for each subject. */
export interface Row {
  readonly mode: Mode
  readonly name: string
  readonly times: readonly Histogram[]
}

/** What a user sees, all with default settings. */
export const MODES = [
  'first request after a start',
  'distinct requests',
  'repeated requests',
  'after a change of the same model',
  'writes',
] as const
type Mode = (typeof MODES)[number]

export interface Extent {
  /** Requests of each kind and mode. */
  readonly turns: number
  /** Starts whose first requests are measured. */
  readonly starts: number
  /** Only requests whose names contain this text. */
  readonly only: string
  progress(line: string): void
}

/** Requests of each kind before the service counts as warm. */
const WARM_UP = 60
/** In microseconds, with this number of significant digits. */
const RANGE = { lowestDiscernibleValue: 1, highestTrackableValue: 60_000_000 }

/**
 * Measures all subjects in turn: one request to each, then the next, so that a busy machine slows down all of them
 * alike.
 */
export async function measure(
  subjects: readonly Subject[],
  { turns, starts, only, progress }: Extent,
): Promise<readonly Row[]> {
  const [first] = subjects
  if (!first) return []
  const samples = await samplesOf(first.client)
  const isWanted = ({ name }: { readonly name: string }) => name.includes(only)
  const reads = readsOf(samples).filter(isWanted)
  const rows: Row[] = []
  const rowOf = (mode: Mode, name: string): Row => {
    const row = {
      mode,
      name,
      times: subjects.map(() => build({ ...RANGE, numberOfSignificantValueDigits: 3 })),
    }
    rows.push(row)
    return row
  }
  const byTurns = async (
    row: Row,
    count: number,
    run: (subject: Subject, turn: number) => Promise<number>,
  ): Promise<void> => {
    for (let turn = 0; turn < count; turn++) {
      const order = turn % 2 === 0 ? [...subjects.keys()] : [...subjects.keys()].reverse()
      for (const index of order) {
        const subject = subjects[index]
        if (subject) record(row.times[index], await run(subject, turn))
      }
    }
    progress(`${row.mode}: ${row.name}`)
  }
  await measureStarts(subjects, reads, starts, rowOf)
  for (let turn = 0; turn < WARM_UP; turn++) {
    for (const { path } of reads) for (const subject of subjects) await read(subject, path(turn))
  }
  for (const { name, path } of reads) {
    let count = 0
    // A parameter without effect makes each URL unique.
    const distinct = (turn: number) => {
      count += 1
      return `${path(turn)}${path(turn).includes('?') ? '&' : '?'}_turn=${count}`
    }
    await byTurns(rowOf('distinct requests', name), turns, (subject, turn) => read(subject, distinct(turn)))
    for (const subject of subjects) await read(subject, path(3))
    await byTurns(rowOf('repeated requests', name), turns, (subject) => read(subject, path(3)))
  }
  for (const { name, path, changes } of reads) {
    if (changes === undefined) continue
    await byTurns(rowOf('after a change of the same model', name), turns, async (subject, turn) => {
      await change(subject, changes, samples, turn)
      return await read(subject, path(3))
    })
  }
  const writes = writesOf(samples, `bench-${process.pid}`).filter(isWanted)
  for (const { name, run } of writes) {
    await byTurns(rowOf('writes', name), turns, (subject, turn) => run(subject.client, turn))
  }
  return rows
}

const record = (histogram: Histogram | undefined, milliseconds: number): void =>
  histogram?.recordValue(Math.round(milliseconds * 1_000))

const read = async ({ client }: Subject, path: string): Promise<number> => (await client.send('GET', path)).milliseconds

async function measureStarts(
  subjects: readonly Subject[],
  reads: readonly Read[],
  starts: number,
  rowOf: (mode: Mode, name: string) => Row,
): Promise<void> {
  const mode = 'first request after a start'
  const ready = rowOf(mode, '(from the start to the first response)')
  const rows = reads.map(({ name }) => rowOf(mode, name))
  for (let start = 0; start < starts; start++) {
    for (const [index, subject] of subjects.entries()) {
      record(ready.times[index], await subject.restart())
      for (const [place, { path }] of reads.entries()) {
        record(rows[place]?.times[index], await read(subject, path(start)))
      }
    }
  }
}

/** Changes the description of an object of the collection. */
async function change({ client }: Subject, collection: Collection, samples: Samples, turn: number): Promise<void> {
  const ids = samples[collection]
  const body = { description: `turn ${turn} ${Math.random()}` }
  await client.send('PATCH', `/api/${collection}/${ids[turn % ids.length]}/`, body)
}

/** Requests per second over eight connections, alone and while another client changes devices without a pause. */
export async function measureBesideWriter(
  subject: Subject,
  seconds: number,
): Promise<{ readonly alone: number; readonly beside: number }> {
  const devices = (await samplesOf(subject.client))['dcim/devices']
  const path = '/api/dcim/interfaces/?limit=50'
  const load = async (): Promise<number> => {
    const result = await autocannon({
      ...{ url: subject.client.url + path, connections: 8, duration: seconds },
      headers: { authorization: `Token ${SERVER_TOKEN}` },
    })
    return result.requests.average
  }
  const alone = await load()
  let isWriting = true
  const writing = (async () => {
    for (let turn = 0; isWriting; turn++) {
      const device = `/api/dcim/devices/${devices[turn % devices.length]}/`
      await subject.client.send('PATCH', device, { comments: `beside ${turn}` })
    }
  })()
  const beside = await load()
  isWriting = false
  await writing
  return { alone, beside }
}
