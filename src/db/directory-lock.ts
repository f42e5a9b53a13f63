import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../errors.ts'

/** The process that has claimed a directory. */
export interface Holder {
  readonly pid: number
  /** The word that it has left about its purpose. */
  readonly role: string
}

/** `release` gives up the claim. */
export type Claim = { readonly release: () => void } | { readonly holder: Holder }

/**
 * Claims a directory for this process by a file `<directory>.lock` next to it. The claim of a process that has ended is
 * taken over.
 */
export function claimDirectory(directory: string, role: string): Claim {
  const path = `${directory}.lock`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const content = [describeProcess(process.pid), role].join('\n')
  for (;;) {
    const present = claim(path, content)
    if (present === undefined) return { release: () => rmSync(path, { force: true }) }
    const holder = runningHolder(present)
    if (holder) return { holder }
    discard(path, present)
  }
}

/** The running process that has claimed the directory. */
export function holderOf(directory: string): Holder | undefined {
  try {
    return runningHolder(readFileSync(`${directory}.lock`, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function runningHolder(content: string): Holder | undefined {
  const [process = '', role = ''] = content.split('\n')
  const pid = Number.parseInt(process, 10)
  return process !== '' && describeProcess(pid) === process ? { pid, role } : undefined
}

/** Writes the claim, or returns the existing one. No other process sees it before it is complete. */
function claim(path: string, content: string): string | undefined {
  const draft = `${path}.${process.pid}`
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
    if (codeOf(error) === 'ENOENT') return claim(path, content)
    throw error
  }
}

/** Removes the stale claim, but not a newer one that another process has put there meanwhile. */
function discard(path: string, stale: string): void {
  const aside = `${path}.${process.pid}`
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
