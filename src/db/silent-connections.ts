import { isServerError } from './failures.ts'
import type { PostgresSession } from './postgres-session.ts'
import { askOnce } from './server-role.ts'

/** Milliseconds between two checks of the statements that wait for an answer. */
const INTERVAL = 1_000

interface WatchOptions {
  /** URL of the server. */
  readonly url: string
  /** The sessions that are open. */
  readonly sessions: () => Iterable<PostgresSession>
  /** Called when the connections of some sessions were dead and have been closed: the idle ones may be dead too. */
  readonly onDead: () => void
}

/**
 * Closes connections that a network or a firewall has silently cut off, so that the statements that wait on them fail.
 * A statement may take long, or wait for a lock, so silence alone proves nothing: the server is asked on a new
 * connection whether it still works for the silent one. Notices a dead connection within 5 seconds. Returns a function
 * that stops the watch.
 */
export function watchForSilence({ url, sessions, onDead }: WatchOptions): () => void {
  /** The number of bytes that each waiting session had received at the last check. */
  let before = new Map<PostgresSession, string>()
  let isAsking = false

  const look = async (): Promise<void> => {
    if (isAsking) return
    const now = new Map<PostgresSession, string>()
    for (const session of sessions()) {
      if (session.progress !== undefined) now.set(session, session.progress)
    }
    const silent = [...now].filter(([session, progress]) => before.get(session) === progress)
    before = now
    if (silent.length === 0) return
    isAsking = true
    const isAtWork = await askServer(
      url,
      silent.map(([session]) => session),
    )
    // A busy process may have the answers unread: the event loop reads once more before the check phase.
    await new Promise((resolve) => setImmediate(resolve))
    isAsking = false
    const dead = silent.filter(([session, progress]) => session.progress === progress && !isAtWork(session))
    for (const [session] of dead) session.end()
    if (dead.length > 0) onDead()
  }

  const timer = setInterval(() => void look(), INTERVAL).unref()
  return () => clearInterval(timer)
}

// A backend that reads from its client, or writes to it, is waiting for us. Without track_activities, the server does
// not report whether it is working.
const AT_WORK = `
  select pid from pg_stat_activity where pid = any($1)
    and (state = 'disabled' or state <> 'idle' and state not like 'idle in%' and wait_event_type is distinct from 'Client')`

/**
 * Reports whether the server is working for a session. Nothing is known about sessions that a pooler shares, or if the
 * server refuses to answer.
 */
async function askServer(
  url: string,
  sessions: readonly PostgresSession[],
): Promise<(session: PostgresSession) => boolean> {
  const pids = sessions.flatMap(({ pid }) => pid ?? [])
  try {
    const rows = await askOnce<{ pid: number }>(url, AT_WORK, [pids])
    const atWork = new Set(rows.map(({ pid }) => pid))
    return ({ pid }) => pid === undefined || atWork.has(pid)
  } catch (error) {
    return () => isServerError(error)
  }
}
