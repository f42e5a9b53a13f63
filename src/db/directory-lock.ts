import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigurationError, codeOf } from '../errors.ts'

/**
 * Claims a directory for this process by a file `<directory>.lock` next to it, and returns a function that releases it.
 * The claim of a process that has ended is taken over. Throws ConfigurationError while another process, or this one,
 * holds it.
 */
export function lockDirectory(directory: string): () => void {
  const path = `${directory}.lock`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const own = describeProcess(process.pid)
  for (;;) {
    const holder = claim(path, own)
    if (holder === undefined) return () => rmSync(path, { force: true })
    const pid = Number.parseInt(holder, 10)
    if (describeProcess(pid) === holder) {
      throw new ConfigurationError(
        `The data directory ${directory} is in use by process ${pid}: stop that first, or set DATA_DIR to another directory.`,
      )
    }
    discard(path, holder)
  }
}

/** Id of the running process that has claimed the directory. */
export function holderOf(directory: string): number | undefined {
  try {
    const holder = readFileSync(`${directory}.lock`, 'utf8')
    const pid = Number.parseInt(holder, 10)
    return describeProcess(pid) === holder ? pid : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Writes the claim, or returns the existing one. */
function claim(path: string, own: string): string | undefined {
  try {
    writeFileSync(path, own, { flag: 'wx', mode: 0o600 })
    return undefined
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return claim(path, own)
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
