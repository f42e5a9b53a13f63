import git from 'isomorphic-git'
import type { Repository } from './git-fetch.ts'
import type { GitFile } from './git-messages.ts'
import { checkFileSize, type FetchLimits, SyncError } from './source-file.ts'

/** Entries of trees that are visited for each file that a source may have: files that it leaves out, and directories. */
const ENTRIES_PER_FILE = 10
const SYMBOLIC_LINK = '120000'

/**
 * The files of a commit, directory by directory. Symbolic links, submodules, and directories whose names begin with a dot are left out.
 * Throws SyncError for a tree with too many entries: trees that contain one tree many times have billions, in a few bytes.
 */
export async function* filesOfTree(
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

/** The content of a file. Throws SyncError for one that is larger than the limit. */
export async function readContent(
  repository: Repository,
  { path, oid }: GitFile,
  limits: FetchLimits,
): Promise<Uint8Array> {
  const { blob } = await git.readBlob({ ...repository, oid })
  checkFileSize(path, blob.length, limits)
  return blob
}
