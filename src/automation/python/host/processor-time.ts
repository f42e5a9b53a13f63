import { readFileSync } from 'node:fs'

/**
 * Milliseconds of one tick in /proc: Linux reports 100 ticks per second to programs, independent of its own clock.
 */
const TICK = 10

/**
 * Milliseconds of processor time that the process has used. Undefined on systems without /proc, and after the process
 * has ended.
 */
export function processorTime(pid: number): number | undefined {
  try {
    return usedTime(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}

/** The same from the text of /proc/<pid>/stat (proc_pid_stat(5), fields 14 and 15). */
export function usedTime(stat: string): number | undefined {
  // The second field is the program's name in parentheses, which may contain spaces and parentheses.
  const [, , ...fields] = stat.slice(stat.lastIndexOf(')')).split(' ')
  const ticks = Number(fields[10]) + Number(fields[11])
  return Number.isNaN(ticks) ? undefined : ticks * TICK
}
