import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * Who may import whom. A room is a folder of src/, or a file there; docs/architecture.md draws them.
 * Models know only the vocabulary, the engine knows no model, and only storage talks to a driver.
 */
const ROOMS: Readonly<Record<string, string>> = {
  errors: '',
  sql: '',
  net: '',
  config: 'errors',
  schema: 'sql net errors',
  storage: 'sql errors config',
  models: 'schema sql net errors',
  query: 'schema sql net storage errors config',
  auth: 'query schema sql net storage errors config',
  output: 'auth query schema sql net storage errors config',
  write: 'output auth query schema sql net storage errors config',
  migrate: 'schema sql storage errors',
  transfer: 'write output auth migrate query schema sql net storage errors config',
  operations: 'write migrate auth query schema sql storage errors config',
  jobs: 'templates write query schema sql storage errors config',
  templates: 'write output auth query schema sql storage errors config',
  actions: 'models templates jobs write output auth query schema sql net storage errors config',
  openapi: 'query schema config',
  pages: 'schema',
  http: 'openapi pages migrate actions templates jobs write output auth query schema sql net storage errors config',
  app: 'http jobs auth query output write openapi migrate models schema sql storage errors config',
  cluster: 'storage errors',
  cli: 'app cluster operations transfer jobs auth write migrate models schema sql storage errors config',
}

/** Packages that one room alone may import, so that they can be exchanged there. */
const PACKAGES: Readonly<Record<string, string>> = {
  pg: 'storage',
  '@electric-sql/pglite': 'storage',
  fastify: 'http',
  '@fastify/multipart': 'http',
  commander: 'cli',
  cookie: 'http',
  'openid-client': 'auth',
  'modern-tar': 'operations',
  'prom-client': 'http',
  re2js: 'schema',
  '@zxcvbn-ts/language-common': 'models',
  'sql-template-tag': 'sql',
  hono: 'pages',
}

const root = dirname(import.meta.dirname)
const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))

/** `src/storage/open.ts` is in storage, `src/errors.ts` is errors. */
const roomOf = (file: string): string => file.split('/')[1]?.replace(/\.ts$/, '') ?? ''

const STATEMENT =
  /^(?:import|export)\s+(?:(type)\s+)?(?:[\w*][\w\s*,]*|\{[^}]*\}|\w+,\s*\{[^}]*\})\s+from\s+'([^']+)'/gm
const EXPRESSION = /^import '([^']+)'|\bimport\('([^']+)'\)/gm

interface Imports {
  /** Paths from the root. */
  readonly files: readonly string[]
  /** Those of them that are left when types are stripped. */
  readonly atRunTime: readonly string[]
  readonly packages: readonly string[]
}

const imports: ReadonlyMap<string, Imports> = new Map(
  files.map((file) => [file, readImports(file)]),
)

function readImports(file: string): Imports {
  const source = readFileSync(join(root, file), 'utf8')
  const found = [
    ...[...source.matchAll(STATEMENT)].map(([, type, name = '']) => ({ name, isType: !!type })),
    ...[...source.matchAll(EXPRESSION)].map(([, a, b]) => ({ name: a ?? b ?? '', isType: false })),
  ]
  const local = found
    .filter(({ name }) => name.startsWith('.'))
    .map(({ name, isType }) => ({ path: relative(root, join(root, dirname(file), name)), isType }))
  return {
    files: local.map(({ path }) => path),
    atRunTime: local.filter(({ isType }) => !isType).map(({ path }) => path),
    packages: found
      .filter(({ name }) => !name.startsWith('.') && !name.startsWith('node:'))
      .map(({ name }) => name.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? name),
  }
}

/** Each import as a sentence, of those for which `isWrong` holds. */
function wrongImports(isWrong: (room: string, target: string) => boolean): string[] {
  return [...imports].flatMap(([file, { files }]) =>
    files
      .filter((target) => isWrong(roomOf(file), target))
      .map((target) => `${file} imports ${target}`),
  )
}

describe('the rooms', () => {
  it('are all in the table', () => {
    expect(files.map(roomOf).filter((room) => !(room in ROOMS))).toEqual([])
  })

  it('import only from rooms that the table allows', () => {
    const wrong = wrongImports((room, target) => {
      const allowed = new Set([room, ...(ROOMS[room] ?? '').split(' ')])
      return target.startsWith('src/') && !allowed.has(roomOf(target))
    })
    expect(wrong).toEqual([])
  })

  it('import nothing from outside src', () => {
    const wrong = wrongImports(
      (_, target) => !target.startsWith('src/') && target !== 'package.json',
    )
    expect(wrong).toEqual([])
  })

  it('leave each driver and framework to one room', () => {
    const wrong = [...imports].flatMap(([file, { packages }]) =>
      packages
        .filter((name) => name in PACKAGES && PACKAGES[name] !== roomOf(file))
        .map((name) => `${file} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('are not known to the conformance run, which sees the service from outside', () => {
    const wrong = globSync('conformance/**/*.ts', { cwd: root }).filter((file) =>
      readImports(file).files.some((target) => target.startsWith('src/')),
    )
    expect(wrong).toEqual([])
  })
})

/** Files that list everything of a kind, which is a subject of its own. */
const LISTS = ['src/models/index.ts', 'src/actions/index.ts']

describe('the files', () => {
  it('import one another without cycles', () => {
    expect(findCycle()).toEqual([])
  })

  it('carry names that say what is in them', () => {
    const vague = /\/(utils?|helpers?|misc|common-?utils|types)\.ts$/
    expect(files.filter((file) => vague.test(file))).toEqual([])
    expect(files.filter((file) => !/^[a-z0-9/.-]+$/.test(file))).toEqual([])
  })

  it('hand on nothing that is not theirs', () => {
    const barrels = files.filter(
      (file) =>
        (file.endsWith('/index.ts') && !LISTS.includes(file)) ||
        /^export \* from/m.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(barrels).toEqual([])
  })
})

/**
 * The files of the first cycle of imports, empty when there is none. Types are left out: a field and
 * the registry may speak of each other, but nothing may depend on which file is loaded first.
 */
function findCycle(): string[] {
  const done = new Set<string>()
  const trail: string[] = []

  const visit = (file: string): string[] => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (done.has(file)) return []
    trail.push(file)
    for (const target of imports.get(file)?.atRunTime ?? []) {
      const cycle = visit(target)
      if (cycle.length > 0) return cycle
    }
    trail.pop()
    done.add(file)
    return []
  }

  for (const file of files) {
    const cycle = visit(file)
    if (cycle.length > 0) return cycle
  }
  return []
}
