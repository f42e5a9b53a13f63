import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type SnapshotStore, snapshotsIn } from './snapshot-store.ts'

const newDirectory = (): string => {
  const parent = mkdtempSync(join(tmpdir(), 'cadastre-snapshots-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  return join(parent, 'cache')
}

const save = async (store: SnapshotStore, text: string): Promise<void> => {
  const created = await store.create()
  if (!created) throw new Error('nothing can be written')
  writeSync(created.fd, text)
  await created.keep()
}

const load = async (store: SnapshotStore): Promise<string | undefined> => {
  const snapshot = await store.open()
  if (!snapshot) return undefined
  const bytes = readFileSync(`/dev/fd/${snapshot.fd}`, 'utf8')
  await snapshot.close()
  return bytes
}

describe('a snapshot', () => {
  it('exists from its completion until its removal', async () => {
    const store = snapshotsIn(newDirectory())
    expect(await load(store)).toBeUndefined()
    const unfinished = await store.create()
    expect(await load(store)).toBeUndefined()
    await unfinished?.discard()
    await save(store, 'one')
    expect(await load(store)).toBe('one')
    await save(store, 'two')
    expect(await load(store)).toBe('two')
    await store.remove()
    expect(await load(store)).toBeUndefined()
  })
})

describe('a directory of snapshots', () => {
  it('contains one snapshot: those of other versions are removed', async () => {
    const directory = newDirectory()
    mkdirSync(directory)
    writeFileSync(join(directory, 'python-0123456789abcdef.snapshot'), 'old')
    writeFileSync(join(directory, 'other'), '')
    await save(snapshotsIn(directory), 'new')
    const names = readdirSync(directory)
    expect(names).toHaveLength(2)
    expect(names).toContain('other')
    expect(await load(snapshotsIn(directory))).toBe('new')
  })

  it.runIf(process.getuid).each([
    ['the directory', (directory: string) => chmodSync(directory, 0o777)],
    [
      'the file',
      (directory: string) => {
        for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o666)
      },
    ],
  ])('is not trusted if every user may write to %s', async (_name, open) => {
    const directory = newDirectory()
    const store = snapshotsIn(directory)
    await save(store, 'one')
    open(directory)
    expect(await load(store)).toBeUndefined()
  })

  it('that cannot be created stores nothing', async () => {
    const parent = newDirectory()
    writeFileSync(parent, 'a file')
    const store = snapshotsIn(join(parent, 'cache'))
    expect(await store.create()).toBeUndefined()
    expect(await load(store)).toBeUndefined()
  })
})
