import git from 'isomorphic-git'
import { fetchLocalRepository, fetchRemoteRepository, type Repository } from './git-fetch.ts'
import type { FromGitProcess, GitFile, GitOrder, ToGitProcess } from './git-messages.ts'
import { checkFileSize, type FetchLimits, SyncError } from './source-file.ts'

/**
 * A process that reads one repository for the service. Data from foreign repositories is unpacked in this process,
 * where it can neither block the service nor write outside the workspace.
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
  const { repository, commit } = await (isLocal ? fetchLocalRepository(order) : fetchRemoteRepository(order))
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

/** Entries of trees (files that are left out, and directories) that are visited for each file of a source. */
const ENTRIES_PER_FILE = 10
const SYMBOLIC_LINK = '120000'

/**
 * The files of a commit, directory by directory. Symbolic links, submodules, and directories whose names begin with a
 * dot are left out. Throws SyncError for a tree with too many entries: trees that contain the same tree many times can
 * have billions of entries in a few bytes.
 */
async function* filesOfTree(
  repository: Repository,
  commit: string,
  { files }: Pick<FetchLimits, 'files'>,
): AsyncGenerator<GitFile, undefined> {
  const directories = [{ path: '', oid: commit }]
  let visited = 0
  for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
    const { tree } = await git.readTree({ ...repository, oid: at.oid })
    visited += tree.length
    if (visited > ENTRIES_PER_FILE * files) {
      throw new SyncError(
        `The repository has more than ${ENTRIES_PER_FILE * files} files and directories; a data source may have ${files} files.`,
      )
    }
    const below: typeof directories = []
    for (const { path: name, type, mode, oid } of tree) {
      const path = at.path === '' ? name : `${at.path}/${name}`
      if (type === 'tree' && !name.startsWith('.')) below.push({ path, oid })
      else if (type === 'blob' && mode !== SYMBOLIC_LINK) yield { path, oid }
    }
    directories.push(...below.reverse())
  }
}

/** The content of a file. Throws SyncError if it is larger than the limit. */
async function readContent(repository: Repository, { path, oid }: GitFile, limits: FetchLimits): Promise<Uint8Array> {
  const { blob } = await git.readBlob({ ...repository, oid })
  checkFileSize(path, blob.length, limits)
  return blob
}
