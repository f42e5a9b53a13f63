import fs from 'node:fs'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import git from 'isomorphic-git'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fetchGit } from '../../src/automation/data-sources/git-source.ts'
import { freePort } from '../support/free-port.ts'
import { commitTree } from '../support/git-repository.ts'
import { startGitServer } from '../support/git-server.ts'
import { fetchAll } from './fetching.ts'

describe('a git source', () => {
  let folder: string
  let repository: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cadastre-repositories-'))
    repository = join(folder, 'repository')
    await commitTree(repository, 'main', { 'old.txt': 'gone', 'a.txt': 'first' })
    await commitTree(repository, 'main', { 'a.txt': 'a', 'deep/b.txt': 'b', '.ci/c.txt': 'c' })
    await commitTree(repository, 'dev', { 'a.txt': 'dev' })
    await commitTree(repository, 'main', { 'a.txt': 'a', 'deep/b.txt': 'b', '.ci/c.txt': 'c' })
  })
  afterAll(() => rm(folder, { recursive: true }))

  const serve = async (credentials?: string) => {
    const server = await startGitServer(folder, credentials)
    onTestFinished(() => server.close())
    return `${server.url}/repository/.git`
  }
  const fileUrl = async () => `file://${repository}`

  describe.each([
    ['on this machine', fileUrl],
    ['over HTTP', () => serve()],
  ])('%s', (_, urlOf) => {
    const fetchFrom = async (parameters = {}, limits = {}) =>
      fetchAll(fetchGit, { url: await urlOf(), parameters }, { directories: [folder], ...limits })

    it('has the files of the newest commit of the default branch', async () => {
      expect((await fetchFrom()).files).toEqual({ 'a.txt': 'a', 'deep/b.txt': 'b' })
    })

    it('has the files of the given branch', async () => {
      expect((await fetchFrom({ branch: 'dev' })).files).toEqual({ 'a.txt': 'dev' })
    })

    it('is refused if the branch does not exist', async () => {
      await expect(fetchFrom({ branch: 'nope' })).rejects.toThrow(/no branch or tag named nope/)
    })

    it('is refused if a file is larger than the limit', async () => {
      await expect(fetchFrom({}, { fileSize: 0 })).rejects.toThrow(/a file of a data source may have 0/)
    })
  })

  it.each([
    ['without credentials', {}, /401/],
    ['with a wrong password', { username: 'u', password: 'x' }, /refused the username/],
  ])('that requires a password is refused %s', async (_, parameters, message) => {
    const url = await serve('u:secret')
    await expect(fetchAll(fetchGit, { url, parameters })).rejects.toThrow(message)
  })

  it('that requires a password is fetched with the password', async () => {
    const url = await serve('u:secret')
    const parameters = { username: 'u', password: 'secret' }
    expect((await fetchAll(fetchGit, { url, parameters })).files).toMatchObject({ 'a.txt': 'a' })
  })

  it('at an address that is not public is refused unless the network is allowed', async () => {
    const url = await serve()
    const refused = expect(fetchAll(fetchGit, { url }, { networks: ['10.0.0.0/8'] })).rejects
    await refused.toThrow(/DATA_SOURCE_ALLOWED_NETWORKS/)
  })

  it('whose name resolves to a non-public address is refused', async () => {
    const url = (await serve()).replace('127.0.0.1', 'localhost')
    const refused = expect(fetchAll(fetchGit, { url }, { networks: [] })).rejects
    await refused.toThrow(/DATA_SOURCE_ALLOWED_NETWORKS/)
  })

  it('that redirects to another network is refused', async () => {
    const elsewhere = await serve()
    const server = createServer((_request, response) => {
      response.writeHead(301, { location: elsewhere.replace('127.0.0.1', '127.0.0.2') }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const url = `http://127.0.0.1:${port}/repository/.git`
    const refused = expect(fetchAll(fetchGit, { url }, { networks: ['127.0.0.1/32'] })).rejects
    await refused.toThrow(/127\.0\.0\.2/)
  })

  it('that sends more than the limit is refused', async () => {
    const url = await serve()
    const refused = expect(fetchAll(fetchGit, { url }, { totalSize: 100 })).rejects
    await refused.toThrow(/the maximum for a data source/)
  })

  describe('that would overload the service', () => {
    const bigFolder = async () => {
      const big = join(folder, 'big')
      return {
        big,
        fetchBig: async (limits: object) => fetchAll(fetchGit, { url: await served(big) }, limits),
      }
    }
    const served = async (directory: string) => (await serve()).replace('/repository/', `/${basename(directory)}/`)

    it('is refused if a few bytes expand to very many, even in an ignored file', async () => {
      const { big, fetchBig } = await bigFolder()
      await commitTree(big, 'main', { 'a.txt': 'a', 'zeros.bin': Buffer.alloc(20_000_000) })
      await expect(fetchBig({ totalSize: 1_000_000 })).rejects.toThrow(
        'The objects of the repository have too many bytes when they are unpacked; all files of a data source may have 1000000.',
      )
      expect(Object.keys((await fetchBig({ fileSize: 30_000_000, totalSize: 30_000_000 })).files)).toHaveLength(2)
    })

    it('is refused if it has too many objects', async () => {
      const { big, fetchBig } = await bigFolder()
      const names = Array.from({ length: 50 }, (_, index) => [`${index}.txt`, String(index)])
      await commitTree(big, 'main', Object.fromEntries(names))
      await expect(fetchBig({ files: 4 })).rejects.toThrow(
        'The repository has 52 objects; a data source may have 4 files.',
      )
    })

    it('is refused if its directories contain one another many times', async () => {
      const { big, fetchBig } = await bigFolder()
      await commitTree(big, 'main', { 'a.txt': 'a' })
      const repository = { fs, gitdir: join(big, '.git') }
      let oid = await git.writeTree({ ...repository, tree: [] })
      for (let depth = 0; depth < 20; depth += 1) {
        const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
        const tree = names.map((path) => ({ mode: '040000', type: 'tree' as const, path, oid }))
        oid = await git.writeTree({ ...repository, tree })
      }
      const author = { name: 'Tester', email: 'tester@example.com' }
      await git.commit({
        ...repository,
        message: 'bomb',
        author,
        tree: oid,
        ref: 'refs/heads/main',
      })
      await expect(fetchBig({ files: 100 })).rejects.toThrow(
        'The repository has more than 1000 files and directories; a data source may have 100 files.',
      )
    })

    it('is abandoned when the job ends', async () => {
      const server = createServer(() => undefined)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const { port } = server.address() as AddressInfo // It listens on a port.
      const job = new AbortController()
      server.once('request', () => job.abort(new Error('The job has been stopped')))
      const url = `http://127.0.0.1:${port}/x`
      const fetching = fetchAll(fetchGit, { url }, {}, job.signal)
      await expect(fetching).rejects.toThrow('The job has been stopped')
      server.closeAllConnections()
    })
  })

  it.each([
    ['that cannot be reached', async () => `http://127.0.0.1:${await freePort()}/x`, /reached/],
    ['with another kind of URL', async () => 'git@example.com:x.git', /https:\/\//],
    ['outside the allowed directories', async () => 'file:///etc', /DATA_SOURCE_DIRECTORIES/],
    ['that is not a repository', async () => `file://${folder}`, /no commit/],
  ])('%s is refused', async (_, urlOf, message) => {
    const url = await urlOf()
    await expect(fetchAll(fetchGit, { url }, { directories: [folder] })).rejects.toThrow(message)
  })

  it('on this machine is refused if its files are outside the allowed directories', async () => {
    const other = await mkdtemp(join(tmpdir(), 'cadastre-other-'))
    onTestFinished(() => rm(other, { recursive: true }))
    await commitTree(join(other, 'hidden'), 'main', { 'a.txt': 'secret' })
    await symlink(join(other, 'hidden', '.git'), join(folder, 'linked.git'))
    const partly = join(folder, 'partly')
    await cp(join(other, 'hidden'), partly, { recursive: true })
    await rm(join(partly, '.git', 'objects'), { recursive: true })
    await symlink(join(other, 'hidden', '.git', 'objects'), join(partly, '.git', 'objects'))
    for (const [name, message] of [
      ['linked.git', /DATA_SOURCE_DIRECTORIES/],
      ['partly', /leads out of the repository/],
    ] as const) {
      const url = `file://${join(folder, name)}`
      await expect(fetchAll(fetchGit, { url }, { directories: [folder] })).rejects.toThrow(message)
    }
  })
})
