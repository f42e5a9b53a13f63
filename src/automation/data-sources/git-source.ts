import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FromGitProcess, GitFile, ToGitProcess } from './git-messages.ts'
import { type FetchFiles, type SourceFile, SyncError } from './source-file.ts'

/** Megabytes of the heap of a process that reads a repository; contents and packs are not included. */
const HEAP = 512

/** From version 26 on, Node refuses connections of restricted processes. Earlier versions do not know the flag. */
const ALLOW_NETWORK = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []

const program = join(dirname(fileURLToPath(import.meta.url)), `git-process${extname(import.meta.filename)}`)

/**
 * Files of the latest commit of one branch or tag, by default of the repository's default branch. A separate process
 * reads them.
 */
export const fetchGit: FetchFiles = async function* ({ source, limits, ignores, signal }) {
  if (!/^(file:|https?:|\/)/i.test(source.url)) {
    throw new SyncError('The URL of a git source must begin with https://, http:// or file://.')
  }
  const workspace = await mkdtemp(join(await realpath(tmpdir()), 'cadastre-git-'))
  const reader = new GitProcess(workspace, signal)
  try {
    await reader.ask({ kind: 'open', source, limits, workspace })
    for (;;) {
      const files = await reader.nextFiles()
      if (files.length === 0) return
      for (const file of files) {
        if (ignores(file.path)) continue
        const sourceFile: SourceFile = { path: file.path, read: () => reader.read(file) }
        yield sourceFile
      }
    }
  } finally {
    reader.end()
    await rm(workspace, { recursive: true, force: true })
  }
}

/** A process that reads one repository. It is killed when the signal is aborted, whose reason is then thrown. */
class GitProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<never>
  readonly #signal: AbortSignal
  readonly #kill = () => void this.#child.kill('SIGKILL')

  constructor(workspace: string, signal: AbortSignal) {
    signal.throwIfAborted()
    this.#signal = signal
    const { NODE_EXTRA_CA_CERTS: authorities } = process.env
    this.#child = fork(program, [], {
      execArgv: [
        ...['--permission', '--allow-fs-read=*', `--allow-fs-write=${workspace}`, ...ALLOW_NETWORK],
        ...[`--allow-fs-write=${workspace}/*`, `--max-old-space-size=${HEAP}`, '--no-warnings'],
      ],
      // Without the service's configuration, which contains secrets.
      env: { ...(authorities !== undefined && { NODE_EXTRA_CA_CERTS: authorities }) },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#ended = new Promise((_, reject) => {
      this.#child.once('error', reject)
      this.#child.once('exit', (code, by) => reject(signal.aborted ? signal.reason : endOf(code, by)))
    })
    // If no reply is awaited, the next message reports the end.
    this.#ended.catch(() => undefined)
    signal.addEventListener('abort', this.#kill, { once: true })
  }

  /** The reply to a message. Throws SyncError. */
  async ask(message: ToGitProcess): Promise<FromGitProcess> {
    const { promise, resolve, reject } = Promise.withResolvers<FromGitProcess>()
    this.#child.once('message', resolve)
    this.#child.send(message, (error) => error && reject(error))
    const reply = await Promise.race([promise, this.#ended])
    if (reply.kind === 'failed') throw new SyncError(reply.message)
    return reply
  }

  async nextFiles(): Promise<readonly GitFile[]> {
    const reply = await this.ask({ kind: 'next' })
    return reply.kind === 'files' ? reply.files : []
  }

  async read(file: GitFile): Promise<Uint8Array> {
    const reply = await this.ask({ kind: 'read', ...file })
    if (reply.kind !== 'content') throw new Error(`The reply was ${reply.kind}`)
    return reply.content
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.#kill)
    this.#kill()
  }
}

/** 134: V8 has run out of memory and aborted. */
const endOf = (code: number | null, by: string | null): SyncError =>
  new SyncError(
    code === 134 || by === 'SIGABRT'
      ? `The repository needs more than ${HEAP} MB of memory.`
      : `The process that reads the repository has ended early (${by ?? code}).`,
  )
