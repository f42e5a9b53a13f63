import { fetchLocalRepository, fetchRemoteRepository, type Repository } from './git-fetch.ts'
import type { FromGitProcess, GitFile, GitOrder, ToGitProcess } from './git-messages.ts'
import { filesOfTree, readContent } from './git-tree.ts'

/**
 * A process that reads one repository for the service. Packs and trees of others are unpacked here, where they can neither occupy the
 * service nor write anywhere but below the workspace.
 */

/** Files of one message. */
const BATCH = 500

interface OpenRepository extends GitOrder {
  readonly repository: Repository
  readonly files: AsyncIterator<GitFile>
}

let opened: OpenRepository | undefined

async function open(order: GitOrder): Promise<OpenRepository> {
  const { url } = order.source
  const isLocal = /^file:/i.test(url) || url.startsWith('/')
  const { repository, commit } = await (isLocal
    ? fetchLocalRepository(order)
    : fetchRemoteRepository(order))
  return { ...order, repository, files: filesOfTree(repository, commit, order.limits) }
}

async function nextFiles({ files }: OpenRepository): Promise<readonly GitFile[]> {
  const batch: GitFile[] = []
  while (batch.length < BATCH) {
    const { value, done } = await files.next()
    if (done) break
    batch.push(value)
  }
  return batch
}

async function replyTo(message: ToGitProcess): Promise<FromGitProcess> {
  if (message.kind === 'open') {
    opened = await open(message)
    return { kind: 'opened' }
  }
  if (!opened) throw new Error('No repository has been opened')
  if (message.kind === 'next') return { kind: 'files', files: await nextFiles(opened) }
  return { kind: 'content', content: await readContent(opened.repository, message, opened.limits) }
}

process.on('message', async (message: ToGitProcess) => {
  const reply = await replyTo(message).catch((error: unknown): FromGitProcess => {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  })
  process.send?.(reply)
})
process.on('disconnect', () => process.exit())
