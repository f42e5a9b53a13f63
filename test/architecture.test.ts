import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MODELS } from '../src/models/index.ts'

/**
 * The rooms and what each may import, lowest first. A room is a folder of src/ or a file directly in it.
 * Models import only the vocabulary, the engine imports no model, and only storage imports a driver.
 * An entry that no import uses fails, so the table states what is, and docs/architecture.md draws it.
 */
const ROOMS: Readonly<Record<string, string>> = {
  clock: '',
  errors: '',
  config: 'errors',
  net: '',
  sql: '',
  cache: 'sql',
  background: 'cache',
  schema: 'sql errors',
  storage: 'sql errors cache',
  versions: 'schema sql',
  service: 'versions storage schema config clock cache',
  history: 'versions service storage schema sql errors cache',
  query: 'service storage schema sql net errors cache',
  auth: 'query service storage schema sql net config errors clock',
  models: 'schema sql net errors',
  output: 'query service schema sql cache',
  search: 'query service storage schema sql net errors',
  write:
    'versions search output auth query service storage schema sql net config errors clock cache',
  'bulk-import': 'write auth service schema errors',
  revisions: 'write service schema sql config errors clock',
  events: 'versions background write auth query service schema sql errors cache',
  'change-log': 'versions events write auth query service schema sql errors',
  jobs: 'history search background events write auth service storage schema sql clock',
  'data-sources': 'jobs write models auth service schema sql net',
  templates: 'write output auth query service schema sql errors',
  scripts: 'jobs background service storage schema sql config errors clock',
  mail: 'jobs events write auth query service schema sql config errors',
  webhooks:
    'events jobs background templates write query service storage schema sql net config clock',
  actions:
    'change-log search scripts templates data-sources jobs events write output models auth query service schema sql net errors clock',
  migrate: 'versions storage schema sql errors',
  openapi: 'versions query schema',
  graphql: 'output auth query service storage schema sql config',
  texts: '',
  pages: 'texts schema',
  http: 'background history versions bulk-import graphql revisions webhooks templates pages texts openapi migrate actions scripts search jobs events write output auth query service storage schema sql net config errors cache',
  plugins: 'migrate actions models query schema errors',
  'plugin-api': 'plugins migrate actions schema sql errors',
  core: 'search plugins data-sources templates revisions migrate models auth service storage schema config clock',
  app: 'core plugins mail webhooks events http scripts data-sources jobs background templates openapi auth config',
  cluster: 'storage errors',
  operations: 'versions search migrate write auth storage schema sql config errors',
  transfer:
    'versions search background migrate write output auth service storage schema sql errors clock',
  cli: 'transfer operations cluster app core search revisions templates background auth service storage config errors',
}

/** Packages that only the named rooms may import, so that they can be exchanged there. */
const PACKAGES: Readonly<Record<string, string>> = {
  pg: 'storage',
  '@electric-sql/pglite': 'storage',
  fastify: 'http',
  '@fastify/multipart': 'http',
  commander: 'cli',
  'd3-force': 'http',
  cookie: 'http',
  'openid-client': 'auth',
  'isomorphic-git': 'data-sources',
  aws4fetch: 'data-sources',
  'modern-tar': 'operations',
  'prom-client': 'http',
  re2js: 'schema',
  '@zxcvbn-ts/language-common': 'models',
  graphql: 'graphql',
  'markdown-it': 'pages',
  nodemailer: 'mail',
  papaparse: 'bulk-import http',
}

const root = dirname(import.meta.dirname)
const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))

/** `src/storage/open.ts` is in storage, `src/errors.ts` is errors. */
const roomOf = (file: string): string => file.split('/')[1]?.replace(/\.ts$/, '') ?? ''

const STATEMENT =
  /^(?:import|export)\s+(?:(type)\s+)?(?:[\w*][\w\s*,]*|\{[^}]*\}|\w+,\s*\{[^}]*\})\s+from\s+'([^']+)'/gm
const EXPRESSION = /^import '([^']+)'|\bimport\('([^']+)'\)/gm

/** Rooms that a room may import from. */
const allowedOf = (room: string): readonly string[] =>
  (ROOMS[room] ?? '').split(' ').filter((name) => name !== '')

/** Rooms that a room reaches in two or more steps. */
function indirectlyReached(room: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const visit = (target: string): void => {
    for (const next of allowedOf(target)) {
      if (reached.has(next)) continue
      reached.add(next)
      visit(next)
    }
  }
  for (const target of allowedOf(room)) visit(target)
  return reached
}

/** Lines of the picture, highest room first: imports that do not follow from other imports. */
const arrows = (): string[] =>
  Object.keys(ROOMS)
    .reverse()
    .flatMap((room) => {
      const indirect = indirectlyReached(room)
      const targets = allowedOf(room).filter((target) => !indirect.has(target))
      return targets.length > 0 ? [`${room} --> ${targets.join(' & ')}`] : []
    })

interface Imports {
  /** Paths from the root. */
  readonly files: readonly string[]
  /** Those of them that are left when types are stripped. */
  readonly atRunTime: readonly string[]
  /** Paths and packages that are loaded together with the file, not when something asks for them. */
  readonly atOnce: readonly string[]
  readonly packages: readonly string[]
}

const imports: ReadonlyMap<string, Imports> = new Map(
  files.map((file) => [file, readImports(file)]),
)

function readImports(file: string): Imports {
  const source = readFileSync(join(root, file), 'utf8')
  const found = [
    ...[...source.matchAll(STATEMENT)].map(([, type, name = '']) => ({
      ...{ name, isType: !!type, isLate: false },
    })),
    ...[...source.matchAll(EXPRESSION)].map(([, a, b]) => ({
      ...{ name: a ?? b ?? '', isType: false, isLate: b !== undefined },
    })),
  ]
  const pathOf = (name: string) =>
    name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name
  const local = found
    .filter(({ name }) => name.startsWith('.'))
    .map(({ name, isType }) => ({ path: pathOf(name), isType }))
  return {
    files: local.map(({ path }) => path),
    atRunTime: local.filter(({ isType }) => !isType).map(({ path }) => path),
    atOnce: found
      .filter(({ isType, isLate }) => !isType && !isLate)
      .map(({ name }) => pathOf(name)),
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
      const allowed = new Set([room, ...allowedOf(room)])
      return target.startsWith('src/') && !allowed.has(roomOf(target))
    })
    expect(wrong).toEqual([])
  })

  it('use every import that the table allows', () => {
    const used = new Set(
      [...imports].flatMap(([file, { files }]) =>
        files.map((target) => `${roomOf(file)} → ${roomOf(target)}`),
      ),
    )
    const unused = Object.keys(ROOMS).flatMap((room) =>
      allowedOf(room)
        .map((target) => `${room} → ${target}`)
        .filter((permission) => !used.has(permission)),
    )
    expect(unused).toEqual([])
  })

  it('exist', () => {
    const rooms = new Set(files.map(roomOf))
    const named = [
      ...Object.keys(ROOMS),
      ...Object.values(PACKAGES).flatMap((names) => names.split(' ')),
    ]
    expect(named.filter((room) => !rooms.has(room))).toEqual([])
  })

  it('are drawn in docs/architecture.md as the table has them, without arrows that follow from others', () => {
    const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
    const picture = page.match(/```mermaid\nflowchart TD\n(.*?)```/s)?.[1] ?? ''
    const drawn = picture.split('\n').map((line) => line.trim())
    expect(drawn.filter((line) => line !== '')).toEqual(arrows())
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
        .filter((name) => PACKAGES[name]?.split(' ').includes(roomOf(file)) === false)
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

/** Rooms that speak of certain models: declarations, what users may do with them, and the settings' own lists. */
const MODEL_ROOMS =
  /^src\/(models|actions|config)\/|^src\/schema\/field-choices\.ts$|^src\/schema\/system-models\.ts$/

describe('the engine', () => {
  it('names no models but those of schema/system-models.ts', () => {
    const names = new Set(MODELS.map(({ name }) => name))
    const wrong = files
      .filter((file) => !MODEL_ROOMS.test(file))
      .flatMap((file) => {
        const code = readFileSync(join(root, file), 'utf8').replace(
          /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm,
          '',
        )
        const found = [...code.matchAll(/['`]([a-z]+\.[a-z]+)/g)].map(([, name = '']) => name)
        return found.filter((name) => names.has(name)).map((name) => `${file}: ${name}`)
      })
    expect(wrong).toEqual([])
  })
})

/** Everything that is loaded together with a file: paths and packages. */
function loadedWith(file: string): ReadonlySet<string> {
  const loaded = new Set([file])
  for (const each of loaded) for (const next of imports.get(each)?.atOnce ?? []) loaded.add(next)
  return loaded
}

describe('a command', () => {
  it('starts without what answers requests, and without libraries that it may never need', () => {
    const loaded = [...loadedWith('src/cli/apply.ts'), ...loadedWith('src/cli/program.ts')]
    expect(loaded).toContain('src/models/index.ts')
    const needless = /^src\/(actions|http|graphql|openapi|pages|scripts|templates)\//
    expect(loaded.filter((path) => needless.test(path))).toEqual([])
    const large = ['sharp', 'ajv/dist/2020.js', 'pg', '@electric-sql/pglite', 'yaml', 'pino']
    expect(loaded.filter((path) => large.includes(path))).toEqual([])
  })
})

describe('the service', () => {
  it('answers its first request without GraphQL, and libraries that it may never need', () => {
    const loaded = [...loadedWith('src/app.ts')]
    expect(loaded).toContain('src/http/verbs/list.ts')
    const needless = ['graphql', 'nodemailer', 'sharp', 'pg']
    expect(loaded.filter((path) => needless.includes(path))).toEqual([])
  })
})

/** Files that list everything of a kind, which is a subject of its own. */
const LISTS = /^src\/(actions|models|models\/[a-z]+)\/index\.ts$/

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
        (file.endsWith('/index.ts') && !LISTS.test(file)) ||
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
