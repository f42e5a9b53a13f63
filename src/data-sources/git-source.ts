import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import git, { type GitHttpRequest, type GitHttpResponse, type HttpClient } from 'isomorphic-git'
import { AllowedDirectories } from './allowed-directory.ts'
import { limitedBody, sendGuarded } from './guarded-request.ts'
import {
  checkFileSize,
  type FetchFiles,
  type FetchRequest,
  type SourceFile,
  SyncError,
  textParameter,
} from './source-file.ts'

/** Files of the newest commit of one branch or tag, by default of the repository's own default branch. */
export const fetchGit: FetchFiles = async function* (request) {
  const { url } = request.source
  if (/^file:/i.test(url) || url.startsWith('/')) yield* fetchLocalRepository(request)
  else if (/^https?:/i.test(url)) yield* fetchRemoteRepository(request)
  else throw new SyncError('A git source has a URL that begins with https://, http:// or file://.')
}

/** A repository on this machine is read where it is. */
async function* fetchLocalRepository(request: FetchRequest): AsyncIterable<SourceFile> {
  const allowed = await AllowedDirectories.of(request.limits.directories)
  const directory = await allowed.resolve(request.source.url)
  const inside = join(directory, '.git')
  const gitdir = fs.existsSync(inside) ? inside : directory
  const repository = { fs: confined(allowed), gitdir, cache: {} }
  const ref = textParameter(request.source, 'branch') ?? 'HEAD'
  const oid = await git.resolveRef({ ...repository, ref }).catch((error: unknown) => {
    throw sourceError(error, request)
  })
  yield* filesOfTree({ ...request, repository }, oid, '')
}

/** A file system whose files lie below the allowed directories, wherever links lead. */
function confined(allowed: AllowedDirectories): { readonly promises: typeof fs.promises } {
  const readFile = async (...[path, options]: Parameters<typeof fs.promises.readFile>) => {
    const real = await fs.promises.realpath(String(path))
    if (!allowed.contain(real)) throw new SyncError(`${String(path)} leads out of the repository.`)
    return await fs.promises.readFile(real, options)
  }
  return { promises: { ...fs.promises, readFile: readFile as typeof fs.promises.readFile } }
}

/** A remote repository is fetched into a temporary directory: one commit, without a work tree. */
async function* fetchRemoteRepository(request: FetchRequest): AsyncIterable<SourceFile> {
  const gitdir = await mkdtemp(join(tmpdir(), 'cadastre-git-'))
  try {
    const repository = { fs, gitdir, cache: {} }
    const oid = await fetchCommit(request, repository)
    yield* filesOfTree({ ...request, repository }, oid, '')
  } finally {
    await rm(gitdir, { recursive: true, force: true })
  }
}

interface Repository {
  readonly fs: Pick<typeof fs, 'promises'>
  readonly gitdir: string
  readonly cache: object
}

async function fetchCommit(request: FetchRequest, repository: Repository): Promise<string> {
  const { source } = request
  const branch = textParameter(source, 'branch')
  const username = textParameter(source, 'username')
  const password = textParameter(source, 'password')
  const failures: Error[] = []
  try {
    await git.init({ ...repository, bare: true })
    await git.addRemote({ ...repository, remote: 'origin', url: source.url })
    const { fetchHead } = await git.fetch({
      ...repository,
      http: guardedHttp(request, failures),
      url: source.url,
      ...(branch !== undefined && { ref: branch, remoteRef: branch }),
      singleBranch: true,
      depth: 1,
      tags: false,
      ...((username ?? password) !== undefined && {
        onAuth: () => ({ username: username ?? '', password: password ?? '' }),
        onAuthFailure: () => ({ cancel: true }),
      }),
    })
    if (fetchHead === null) throw new SyncError('The repository has no commit.')
    return fetchHead
  } catch (error) {
    // The library hides errors of a body that it reads.
    throw sourceError(failures[0] ?? error, request)
  }
}

/** The library's requests, sent as every request to a source is. Errors of bodies are added to `failures`. */
const guardedHttp = ({ limits, signal }: FetchRequest, failures: Error[]): HttpClient => ({
  request: async ({
    url,
    method = 'GET',
    headers = {},
    body,
  }: GitHttpRequest): Promise<GitHttpResponse> => {
    const chunks: Uint8Array[] = []
    for await (const chunk of body ?? []) chunks.push(chunk)
    const response = await sendGuarded({
      ...{ url, method, headers, networks: limits.networks, signal },
      body: body && Buffer.concat(chunks),
    })
    return {
      url: response.url,
      method,
      statusCode: response.status,
      statusMessage: response.statusText,
      headers: { ...response.headers },
      body: noting(failures, limitedBody(response, limits.totalSize, 'DATA_SOURCE_MAX_SIZE')),
    }
  },
})

async function* noting<T>(failures: Error[], body: AsyncIterable<T>): AsyncIterableIterator<T> {
  try {
    yield* body
  } catch (error) {
    if (error instanceof Error) failures.push(error)
    throw error
  }
}

interface TreeWalk extends FetchRequest {
  readonly repository: Repository
}

/** Links and submodules are left out. */
async function* filesOfTree(
  walk: TreeWalk,
  oid: string,
  directory: string,
): AsyncIterable<SourceFile> {
  const { repository, ignores, limits, signal } = walk
  signal.throwIfAborted()
  const { tree } = await git.readTree({ ...repository, oid })
  for (const entry of tree) {
    const path = directory === '' ? entry.path : `${directory}/${entry.path}`
    if (entry.type === 'tree') {
      if (!entry.path.startsWith('.')) yield* filesOfTree(walk, entry.oid, path)
    } else if (entry.type === 'blob' && entry.mode !== SYMBOLIC_LINK && !ignores(path)) {
      const read = async () => {
        const { blob } = await git.readBlob({ ...repository, oid: entry.oid })
        checkFileSize(path, blob.length, limits)
        return blob
      }
      yield { path, read }
    }
  }
}

const SYMBOLIC_LINK = '120000'

/** The library's error as a sentence. */
function sourceError(error: unknown, { source }: FetchRequest): Error {
  if (!(error instanceof Error)) return new SyncError(String(error))
  if (error instanceof SyncError || error.name === 'AbortError') return error
  const code = 'code' in error ? error.code : undefined
  const branch = textParameter(source, 'branch')
  if (code === git.Errors.NotFoundError.code) {
    return new SyncError(
      branch === undefined
        ? 'The repository has no commit.'
        : `The repository has no branch or tag named ${branch}.`,
    )
  }
  if (code === git.Errors.UserCanceledError.code) {
    return new SyncError('The server refused the username and password.')
  }
  return new SyncError(`The repository cannot be fetched: ${error.message}`)
}
