import fs from 'node:fs'
import { join } from 'node:path'
import git, { type GitHttpRequest, type GitHttpResponse, type HttpClient } from 'isomorphic-git'
import { AllowedDirectories } from './allowed-directory.ts'
import { checkPack } from './check-pack.ts'
import type { GitOrder } from './git-messages.ts'
import { limitedBody, sendGuarded } from './guarded-request.ts'
import { type FetchLimits, SyncError, textParameter } from './source-file.ts'

/** A repository on this machine, which is read in place. Throws SyncError. */
export async function fetchLocalRepository(request: GitOrder): Promise<FetchedCommit> {
  const allowed = await AllowedDirectories.of(request.limits.directories)
  const directory = await allowed.resolve(request.source.url)
  const inside = join(directory, '.git')
  const gitdir = fs.existsSync(inside) ? inside : directory
  const repository = { fs: confined(allowed), gitdir, cache: {} }
  const ref = textParameter(request.source, 'branch') ?? 'HEAD'
  const commit = await git.resolveRef({ ...repository, ref }).catch((error: unknown) => {
    throw sourceError(error, request)
  })
  return { repository, commit }
}

/** A file system that only contains the allowed directories, wherever links lead. */
function confined(allowed: AllowedDirectories): { readonly promises: typeof fs.promises } {
  const readFile = async (...[path, options]: Parameters<typeof fs.promises.readFile>) => {
    const real = await fs.promises.realpath(String(path))
    if (!allowed.contain(real)) throw new SyncError(`${String(path)} leads out of the repository.`)
    return await fs.promises.readFile(real, options)
  }
  return { promises: { ...fs.promises, readFile: readFile as typeof fs.promises.readFile } }
}

/** A remote repository, fetched into the workspace: one commit, without a work tree. Throws SyncError. */
export async function fetchRemoteRepository(request: GitOrder): Promise<FetchedCommit> {
  const repository = { fs: checkingPacks(request.limits), gitdir: request.workspace, cache: {} }
  return { repository, commit: await fetchCommit(request, repository) }
}

/** A file system that accepts packs only within the limits: the library writes a pack before it reads its objects. */
function checkingPacks(limits: FetchLimits): { readonly promises: typeof fs.promises } {
  const writeFile = async (...[path, data, options]: Parameters<typeof fs.promises.writeFile>) => {
    if (String(path).endsWith('.pack')) checkPack(Buffer.from(data as Uint8Array), limits) // written as bytes
    await fs.promises.writeFile(path, data, options)
  }
  return { promises: { ...fs.promises, writeFile } }
}

/** A repository as the library reads it. */
export interface Repository {
  readonly fs: Pick<typeof fs, 'promises'>
  readonly gitdir: string
  readonly cache: object
}

/** A commit and the repository that has its files. */
interface FetchedCommit {
  readonly repository: Repository
  readonly commit: string
}

async function fetchCommit(request: GitOrder, repository: Repository): Promise<string> {
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
    // The library hides errors of a response body while reading it.
    throw sourceError(failures[0] ?? error, request)
  }
}

/** The service kills the process to end its requests. */
const UNTIL_KILLED = new AbortController().signal

/** The library's requests, sent like every other request to a source. Errors of bodies are added to `failures`. */
const guardedHttp = ({ limits }: GitOrder, failures: Error[]): HttpClient => ({
  request: async ({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> => {
    const chunks: Uint8Array[] = []
    for await (const chunk of body ?? []) chunks.push(chunk)
    const response = await sendGuarded({
      ...{ url, method, headers, networks: limits.networks },
      signal: UNTIL_KILLED,
      body: body && Buffer.concat(chunks),
    })
    return {
      url: response.url,
      method,
      statusCode: response.status,
      statusMessage: response.statusText,
      headers: { ...response.headers },
      body: noting(failures, limitedBody(response, limits.totalSize, 'the maximum for a data source')),
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

/** The library's error as a sentence. */
function sourceError(error: unknown, { source }: GitOrder): Error {
  if (!(error instanceof Error)) return new SyncError(String(error))
  if (error instanceof SyncError || error.name === 'AbortError') return error
  const code = 'code' in error ? error.code : undefined
  const branch = textParameter(source, 'branch')
  if (code === git.Errors.NotFoundError.code) {
    return new SyncError(
      branch === undefined ? 'The repository has no commit.' : `The repository has no branch or tag named ${branch}.`,
    )
  }
  if (code === git.Errors.UserCanceledError.code) {
    return new SyncError('The server refused the username and password.')
  }
  return new SyncError(`The repository cannot be fetched: ${error.message}`)
}
