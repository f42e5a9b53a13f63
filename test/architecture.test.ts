import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DECLARATIONS } from '../src/config/settings.ts'
import { MODELS } from '../src/models/index.ts'
import { words } from '../src/schema/view.ts'

/** The rooms, lowest first: folders of src/, and files directly in it. A room imports only from those before it. */
const ROOMS: readonly string[] = words(`
  base sql config schema db models service read identity write changes automation transfer api web app cli
`)

/** Rooms that may import less than that. */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  config: words('base'),
  sql: [],
  schema: words('base sql'),
  models: words('schema base sql'),
}

/** The engine knows no models, so these rooms and folders do not import the declarations. */
const ENGINE: readonly string[] = words('db service read identity write changes transfer app/server cli')

/** The order of the folders and files within rooms, as for the rooms themselves. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  // What all stages share, the stages, then kinds of writes that combine them.
  write: words(`
    media values rows draft empty-row assumptions related-object context cached access write-request
    parse validate record stored-objects save remove field-names writer define-custom-models watch-rules transaction dry-run create-objects update-objects upsert apply run
  `),
  // What is shared, what change records say, the change of main that an undo or a merge makes, then both of these.
  changes: words('background stream configuration-revisions records difference undo branches'),
  // What pages consist of, the features, then the pages of every model, which show what the features add to them.
  web: words(`
    html texts components data forms frame lists object-parts
    guides account administration browse search export live import grid scripts packs
    addresses cabling racks branches charts rules start dashboard compare
    edit-pages bulk list-pages object page-api routes
  `),
  // What runs code of users, the queue of jobs, then what uses them.
  automation: words('confinement python jobs templates webhooks mail data-sources event-rules rules scripts'),
  app: words('plugins generations core plugin-api server app'),
}

/** Packages that only the named rooms may import, so that they can be exchanged there. */
const PACKAGES: Readonly<Record<string, string>> = {
  pg: 'db',
  fastify: 'app api',
  '@fastify/multipart': 'app api',
  commander: 'cli',
  cookie: 'api web',
  '@node-saml/node-saml': 'identity',
  'openid-client': 'identity',
  uqr: 'web',
  ldapts: 'identity',
  jose: 'identity',
  'isomorphic-git': 'automation',
  aws4fetch: 'automation write',
  'modern-tar': 'transfer',
  'prom-client': 'api',
  re2js: 'schema',
  '@zxcvbn-ts/language-common': 'models',
  graphql: 'api',
  'markdown-it': 'web',
  nodemailer: 'automation',
  papaparse: 'transfer web',
}

const root = dirname(import.meta.dirname)
const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))

/** `src/db/open.ts` is in db, `src/service.ts` is service. */
const roomOf = (file: string): string => file.split('/')[1]?.replace(/\.ts$/, '') ?? ''

const STATEMENT =
  /^(?:import|export)\s+(?:(type)\s+)?(?:[\w*][\w\s*,]*|\{[^}]*\}|\w+,\s*\{[^}]*\})\s+from\s+'([^']+)'/gm
const EXPORT = /^export (?:async )?(?:const|function\*?|interface|type|class|abstract class|enum) (\w+)/gm
const EXPRESSION = /^import '([^']+)'|\bimport\('([^']+)'\)/gm

interface Imports {
  /** Paths from the root. */
  readonly files: readonly string[]
  /** Those that remain when types are stripped. */
  readonly atRunTime: readonly string[]
  /** Paths and packages that are loaded together with the file, not later on demand. */
  readonly atOnce: readonly string[]
  readonly packages: readonly string[]
}

const imports: ReadonlyMap<string, Imports> = new Map(files.map((file) => [file, readImports(file)]))

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
  const pathOf = (name: string) => (name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name)
  const local = found
    .filter(({ name }) => name.startsWith('.'))
    .map(({ name, isType }) => ({ path: pathOf(name), isType }))
  return {
    files: local.map(({ path }) => path),
    atRunTime: local.filter(({ isType }) => !isType).map(({ path }) => path),
    atOnce: found.filter(({ isType, isLate }) => !isType && !isLate).map(({ name }) => pathOf(name)),
    packages: found
      .filter(({ name }) => !name.startsWith('.') && !name.startsWith('node:'))
      .map(({ name }) => name.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? name),
  }
}

/** Each import for which `isWrong` holds, as a sentence. */
function wrongImports(isWrong: (room: string, target: string) => boolean): string[] {
  return [...imports].flatMap(([file, { files }]) =>
    files.filter((target) => isWrong(roomOf(file), target)).map((target) => `${file} imports ${target}`),
  )
}

describe('the rooms of the code', () => {
  it('are all in the list', () => {
    expect(new Set(files.map(roomOf))).toEqual(new Set(ROOMS))
  })

  it('import only from earlier rooms', () => {
    const wrong = wrongImports((room, target) => {
      if (!target.startsWith('src/')) return false
      const other = roomOf(target)
      return room !== other && !(ONLY[room] ?? ROOMS.slice(0, ROOMS.indexOf(room))).includes(other)
    })
    expect(wrong).toEqual([])
  })

  it.each(Object.entries(WITHIN))('keep the same order within %s/', (room, order) => {
    const partOf = (file: string): string => file.split('/')[2]?.replace(/\.ts$/, '') ?? ''
    const members = files.filter((file) => roomOf(file) === room)
    expect(new Set(members.map(partOf))).toEqual(new Set(order))
    const wrong = members.flatMap((file) => {
      // The context holds the state of all stages, so it names their types.
      const { files: all, atRunTime } = imports.get(file) ?? { files: [], atRunTime: [] }
      const targets = (partOf(file) === 'context' ? atRunTime : all).filter((target) => roomOf(target) === room)
      return targets
        .filter((target) => order.indexOf(partOf(target)) > order.indexOf(partOf(file)))
        .map((target) => `${file} imports ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('of the engine do not import models', () => {
    const engine = new RegExp(`^src/(${ENGINE.join('|')})[/.]`)
    const wrong = [...imports]
      .filter(([file]) => engine.test(file))
      .flatMap(([file, { files: targets }]) =>
        targets.filter((target) => roomOf(target) === 'models').map((target) => `${file} imports ${target}`),
      )
    expect(wrong).toEqual([])
  })

  it('are described in docs/develop/architecture.md in the same order', () => {
    const page = readFileSync(join(root, 'docs/develop/architecture.md'), 'utf8')
    const described = [...page.matchAll(/^\| `([a-z\d-]+)(?:\.ts|\/)` \|/gm)].map(([, name]) => name)
    expect(described).toEqual(ROOMS)
  })

  it('import nothing from outside src', () => {
    const wrong = wrongImports((_, target) => !target.startsWith('src/') && target !== 'package.json')
    expect(wrong).toEqual([])
  })

  it('confine each driver and framework to one room', () => {
    const wrong = [...imports].flatMap(([file, { packages }]) =>
      packages
        .filter((name) => PACKAGES[name]?.split(' ').includes(roomOf(file)) === false)
        .map((name) => `${file} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('are not imported by the conformance run, which tests the service from outside', () => {
    const wrong = globSync('conformance/**/*.ts', { cwd: root }).filter((file) =>
      readImports(file).files.some((target) => target.startsWith('src/')),
    )
    expect(wrong).toEqual([])
  })
})

/** Rooms that refer to certain models: declarations, what users may do with them, and the settings' own lists. */
const MODEL_ROOMS =
  /^src\/(models|api\/actions|config|web\/(addresses|cabling|charts|guides|racks|rules|start))\/|^src\/web\/branches\/[a-z]+-pictures\.ts$|^src\/schema\/field-choices\.ts$|^src\/schema\/system-models\.ts$/

describe('the engine', () => {
  it('names no models except those of schema/system-models.ts', () => {
    const names = new Set(MODELS.map(({ name }) => name))
    const wrong = files
      .filter((file) => !MODEL_ROOMS.test(file))
      .flatMap((file) => {
        const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
        const found = [...code.matchAll(/['`]([a-z]+\.[a-z]+)/g)].map(([, name = '']) => name)
        return found.filter((name) => names.has(name)).map((name) => `${file}: ${name}`)
      })
    expect(wrong).toEqual([])
  })
})

/** Packages that a pack needs besides the program, by its name. */
const PACKAGES_OF_PACKS: Readonly<Record<string, readonly string[]>> = {
  labels: ['bwip-js', 'fontkit', 'pdfkit'],
  observed: ['protobufjs'],
  topology: ['@dagrejs/dagre'],
  'site-map': ['d3-geo', 'topojson-client'],
}

describe('packs', () => {
  const packs = globSync('packs/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))

  it('use only the interface of plugins, and their own files', () => {
    const isInterface = (name: string) => /^cadastre(\/(web|models\/.+|client\/.+))?$/.test(name)
    const wrong = packs.flatMap((file) => {
      const folder = dirname(file)
      const { files: local, packages } = readImports(file)
      const outside = local.filter((path) => !path.startsWith(`${folder}/`))
      const foreign = packages.filter((name) => !isInterface(name) && name !== 'cadastre')
      const allowed = new Set(PACKAGES_OF_PACKS[folder.split('/')[1] ?? ''])
      return [...outside, ...foreign.filter((name) => !allowed.has(name))].map((name) => `${file}: ${name}`)
    })
    expect(packs.length).toBeGreaterThan(0)
    expect(wrong).toEqual([])
  })

  it('are unknown to the program', () => {
    const apps = globSync('packs/*/pack.yaml', { cwd: root }).flatMap((file) => {
      const document = readFileSync(join(root, file), 'utf8')
      if (!document.includes('\nmodels:')) return []
      return /^app: (\w+)$/m.exec(document)?.[1] ?? `'${/^name: (\w+)$/m.exec(document)?.[1]}.`
    })
    expect(apps.length).toBeGreaterThan(0)
    const known = files.filter((file) => {
      const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      return apps.some((app) => code.includes(app))
    })
    expect(known).toEqual([])
  })
})

/** Everything that is loaded together with a file: paths and packages. */
function loadedWith(file: string): ReadonlySet<string> {
  const loaded = new Set([file])
  for (const each of loaded) for (const next of imports.get(each)?.atOnce ?? []) loaded.add(next)
  return loaded
}

describe('a command', () => {
  it('starts without the code that answers requests, and without libraries that it may not need', () => {
    const loaded = [...loadedWith('src/cli/apply.ts'), ...loadedWith('src/cli/program.ts')]
    expect(loaded).toContain('src/models/index.ts')
    const needless = /^src\/(api|app\/server|web|automation\/(scripts|templates))\//
    expect(loaded.filter((path) => needless.test(path))).toEqual([])
    const large = ['sharp', 'ajv/dist/2020.js', 'pg', 'yaml', 'pino']
    expect(loaded.filter((path) => large.includes(path))).toEqual([])
  })
})

describe('the service', () => {
  it('answers its first request without loading GraphQL or other libraries that it may not need', () => {
    const loaded = [...loadedWith('src/app/app.ts')]
    expect(loaded).toContain('src/api/verbs/list.ts')
    const needless = ['graphql', 'nodemailer', 'sharp', 'pg']
    expect(loaded.filter((path) => needless.includes(path))).toEqual([])
  })
})

/** Files that list everything of one kind, which is a subject in itself. */
const LISTS = /^src\/(api\/actions|models|models\/[a-z]+)\/index\.ts$/

describe('the files', () => {
  it('import one another without cycles', () => {
    expect(findCycle()).toEqual([])
  })

  it('have names that describe their content', () => {
    const vague = /\/(utils?|helpers?|misc|common-?utils|types)\.ts$/
    expect(files.filter((file) => vague.test(file))).toEqual([])
    expect(files.filter((file) => !/^[a-z0-9/.-]+$/.test(file))).toEqual([])
  })

  it('export only what others use', () => {
    const readers = globSync('{src,packs,test,bench,conformance,scripts,examples}/**/*.ts', { cwd: root })
    const users = new Map<string, Set<string>>()
    for (const file of readers) {
      for (const name of readFileSync(join(root, file), 'utf8').match(/\w+/g) ?? []) {
        users.set(name, (users.get(name) ?? new Set()).add(file))
      }
    }
    // Declarations of plugins name types of the schema, which therefore have to be exported.
    const own = files.filter((file) => !['schema', 'models'].includes(roomOf(file)))
    const unused = own.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(EXPORT)].flatMap(([, name = '']) =>
        users.get(name)?.size === 1 ? [`${file}: ${name}`] : [],
      ),
    )
    expect(unused).toEqual([])
  })

  it('read every setting', () => {
    const words = new Set(
      files
        .filter((file) => file !== 'src/config/settings.ts')
        .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\w+/g) ?? []),
    )
    expect(Object.keys(DECLARATIONS).filter((key) => !words.has(key))).toEqual([])
  })

  it('export only their own code', () => {
    const barrels = files.filter(
      (file) =>
        (file.endsWith('/index.ts') && !LISTS.test(file)) ||
        /^export \* from/m.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(barrels).toEqual([])
  })
})

/**
 * The files of the first cycle of imports, empty when there is none. Types are left out: a field and the registry may
 * refer to each other, but nothing may depend on which file is loaded first.
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
