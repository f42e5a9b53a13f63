import { randomUUID } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { codeOf } from '../base/errors.ts'

/** The process that has claimed a directory. */
export interface Holder {
  /** Its id, on its machine or in its container. */
  readonly pid: number
  /** The word that it has left about its purpose. */
  readonly role: string
  /** It is known to be running; false while that has to be found out by waiting. */
  readonly isRunning: boolean
}

/** Milliseconds between two signs of life of a holder, and without one after which it counts as ended. */
const HEARTBEAT = 2_000
const PATIENCE = 10_000

/**
 * A claim of this process to a directory: a file `<directory>.lock` next to it, with a sign of life of its holder every
 * two seconds. The claim of a process that has ended is taken over: at once if it ran where this one runs, otherwise (on
 * another machine, or in another container, whose processes cannot be seen) after ten seconds without a sign of life.
 */
export class DirectoryLock {
  readonly #path: string
  readonly #content: string
  #timer: NodeJS.Timeout | undefined
  /** The claim of a process elsewhere, its last sign of life, and when that was first seen here. */
  #seen = { claim: '', sign: 0, at: 0, isRunning: false }

  constructor(directory: string, role: string) {
    this.#path = `${directory}.lock`
    this.#content = [describeProcess(process.pid), role, PLACE].join('\n')
  }

  /** Claims the directory; returns the process that prevents it, if there is one. */
  claim(): Holder | undefined {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    for (;;) {
      const present = claimFile(this.#path, this.#content)
      if (present === undefined) break
      const holder = this.#holderOf(present)
      if (holder) return holder
      discard(this.#path, present)
    }
    this.#timer = setInterval(() => giveSign(this.#path), HEARTBEAT).unref()
    return undefined
  }

  release(): void {
    clearInterval(this.#timer)
    rmSync(this.#path, { force: true })
  }

  /** Undefined if it has ended. */
  #holderOf(claim: string): Holder | undefined {
    const [description = '', role = '', place = ''] = claim.split('\n')
    const pid = Number.parseInt(description, 10)
    if (place === PLACE) {
      return describeProcess(pid) === description && description !== '' ? { pid, role, isRunning: true } : undefined
    }
    const sign = statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const now = performance.now()
    const isSame = this.#seen.claim === claim
    if (isSame && this.#seen.sign === sign) {
      return now - this.#seen.at > PATIENCE ? undefined : { pid, role, isRunning: this.#seen.isRunning }
    }
    this.#seen = { claim, sign, at: now, isRunning: isSame }
    return { pid, role, isRunning: isSame }
  }
}

/** The machine, since its start, and the processes of it that can be seen from here, such as those of a container. */
const PLACE = placeOfProcesses()

function placeOfProcesses(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** A directory that has been removed needs no sign. */
function giveSign(path: string): void {
  try {
    utimesSync(path, new Date(), new Date())
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** Writes the claim, or returns the existing one. No other process sees it before it is complete. */
function claimFile(path: string, content: string): string | undefined {
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, content, { mode: 0o600 })
  try {
    linkSync(draft, path)
    return undefined
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return claimFile(path, content)
    throw error
  }
}

/** Removes the stale claim, but not a newer one that another process has put there meanwhile. */
function discard(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (readFileSync(aside, 'utf8') === stale) rmSync(aside)
  else renameSync(aside, path)
}

/**
 * Id of a running process and, if /proc has it, its start time: after a crash, another process may get the same id, and
 * in a container even this one. Empty when there is no such process.
 */
function describeProcess(pid: number): string {
  if (!Number.isSafeInteger(pid) || pid <= 0) return ''
  try {
    process.kill(pid, 0)
  } catch (error) {
    // A process that may not be signalled must be running.
    if (codeOf(error) !== 'EPERM') return ''
  }
  const fields = processFields(pid)
  // A zombie is dead; it only waits for its parent to notice.
  if (fields[0] === 'Z') return ''
  return `${pid} ${fields[19] ?? ''}`
}

/** The fields of /proc/<pid>/stat from the third (state) onwards; empty if there is no /proc. */
function processFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name in brackets, which may contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
