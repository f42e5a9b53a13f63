import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigurationError } from '../../base/errors.ts'
import { loadPlugins } from './load.ts'

/** A new directory with these files. */
function directoryOf(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-plugins-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return directory
}

const IMPORTS = "import { foreignKey, integer, model, plugin, rulesFor, text } from 'cadastre'"

/** A model as it is declared; `more` replaces a part of it. */
const modelOf = (name: string, more = ''): string => `model({
  name: '${name}',
  path: 'plugins/${name.split('.')[0]}/things',
  labels: ['thing', 'things'],
  fields: { name: text({ max: 50 }) },
  display: '{name}',
  brief: ['id', 'url', 'display', 'name'],
  order: ['name'],
  ${more}
})`

const pluginOf = (name: string, more = ''): string => `${IMPORTS}
export default plugin({ name: '${name}', models: [${modelOf(`${name}.thing`, more)}] })`

const problemOf = async (...paths: readonly string[]): Promise<string> => {
  try {
    await loadPlugins(paths, 2_000)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return error instanceof Error ? error.message : ''
  }
  throw new Error('the plugins were loaded')
}

describe('plugins', () => {
  it('are loaded from files, and from all files of a directory in order of name', async () => {
    const directory = directoryOf({
      'two.mjs': pluginOf('two'),
      'one.ts': pluginOf('one'),
      'one.test.ts': 'throw new Error()',
      'types.d.ts': '',
      'README.md': '',
    })
    const other = join(directoryOf({ 'zero.ts': pluginOf('zero') }), 'zero.ts')
    const plugins = await loadPlugins([other, directory])
    expect(plugins.map(({ name }) => name)).toEqual(['zero', 'one', 'two'])
  })

  it('may consist of several files behind an index', async () => {
    const directory = directoryOf({
      'index.ts': `import { thing } from './models/thing.ts'
        import { plugin } from 'cadastre'
        export default plugin({ name: 'parts', models: [thing] })`,
      'models/thing.ts': `${IMPORTS}\nexport const thing = ${modelOf('parts.thing')}`,
      'broken.ts': 'throw new Error()',
    })
    const [plugin] = await loadPlugins([directory])
    expect(plugin?.models.map(({ name }) => name)).toEqual(['parts.thing'])
  })

  it('may refer to models of each other and of the program', async () => {
    const refers = (to: string) =>
      `fields: { name: text({ max: 5 }), other: foreignKey('${to}', { onDelete: 'protect' }) },`
    const directory = directoryOf({
      'first.ts': pluginOf('first', refers('second.thing')),
      'second.ts': pluginOf('second', refers('dcim.site')),
    })
    expect(await loadPlugins([directory])).toHaveLength(2)
  })
})

describe('a plugin that cannot be used stops the start with a message', () => {
  it.each([
    ['that is not there', {}, 'there are no files of plugins in DIRECTORY'],
    [
      'that is not a program',
      { 'a.ts': 'export default {' },
      /^The plugin DIRECTORY\/a\.ts cannot be used: it fails with ".+"\.$/,
    ],
    [
      'that throws',
      { 'a.ts': 'throw new Error("no luck")' },
      'The plugin DIRECTORY/a.ts cannot be used: it fails with "no luck".',
    ],
    [
      'that exports something else',
      { 'a.ts': 'export const models = []' },
      'DIRECTORY/a.ts is not a plugin: "export default plugin({ name: …, models: [ … ] })" is expected.',
    ],
    ['whose name is that of an app', { 'a.ts': pluginOf('dcim') }, 'its name "dcim" is that of a part of the program'],
    ['whose name is none', { 'a.ts': pluginOf('My plugin') }, 'its name "My plugin" has to be lower-case letters'],
    [
      'without models',
      { 'a.ts': `${IMPORTS}\nexport default plugin({ name: 'empty', models: [] })` },
      'a.ts cannot be used: it has no models.',
    ],
    [
      'with a model of another name',
      { 'a.ts': pluginOf('one').replace("name: 'one.thing'", "name: 'two.thing'") },
      'the name of its model "two.thing" has to be "one."',
    ],
    [
      'with a path elsewhere',
      { 'a.ts': pluginOf('one', "path: 'dcim/things',") },
      'the path of one.thing has to be plugins/one/ and one name, not "dcim/things"',
    ],
    [
      'with a table elsewhere',
      { 'a.ts': pluginOf('one', "table: 'dcim_site',") },
      'the table of one.thing has to begin with "one_"',
    ],
    [
      'that refers to nothing',
      {
        'a.ts': pluginOf('one', "fields: { name: foreignKey('dcim.sitee', { onDelete: 'protect' }) },"),
      },
      'DIRECTORY/a.ts cannot be used: one.thing: No model is named dcim.sitee.',
    ],
    [
      'that shows a field which it does not have',
      { 'a.ts': pluginOf('one', "brief: ['id', 'nope'],") },
      'one.thing: no field nope to show',
    ],
    [
      'whose filter has an invalid path',
      { 'a.ts': pluginOf('one', "order: ['nope'],") },
      'one.thing: path nope has no step nope',
    ],
    [
      'with a rule for a model of the program',
      {
        'a.ts': `${IMPORTS}
          import { site } from 'cadastre/models/dcim/site'
          export default plugin({
            name: 'one', models: [${modelOf('one.thing')}], behaviours: [rulesFor(site)],
          })`,
      },
      'it has a behaviour of dcim.site, which is not one of its models',
    ],
    [
      'with an option that fields do not have',
      { 'a.ts': pluginOf('one', 'fields: { name: text({ maxx: 5 }) },') },
      'the field name of one.thing has the option maxx, which does not exist: example, nullable,',
    ],
    [
      'with an option of another kind of field',
      {
        'a.ts': pluginOf('one', 'fields: { name: text({}), size: integer({ min: 0 }) },'),
      },
      'the field size of one.thing has the option min, which does not exist',
    ],
    ...['id', 'url', 'display'].map(
      (name) =>
        [
          `with a field ${name}`,
          { 'a.ts': pluginOf('one', `fields: { name: text({}), ${name}: text({}) },`) },
          `the field ${name} of one.thing has to have another name`,
        ] as const,
    ),
    [
      'with a field whose name is none',
      { 'a.ts': pluginOf('one', "fields: { name: text({}), 'a b': text({}) },") },
      'the field a b of one.thing has to have a name of lower-case letters',
    ],
    [
      'with names that PostgreSQL would truncate',
      { 'a.ts': pluginOf('one', `fields: { name: text({}), ${'x'.repeat(64)}: text({}) },`) },
      'has a name above 63 characters',
    ],
    [
      'with a relation back that exists',
      {
        'a.ts': pluginOf(
          'one',
          "fields: { name: text({}), device: foreignKey('dcim.device', { related: 'interfaces' }) },",
        ),
      },
      'one.thing: "related" has to be another name than interfaces, which dcim.device has already.',
    ],
    [
      'that ends the program',
      { 'a.ts': 'process.exit(7)' },
      'DIRECTORY/a.ts cannot be used: it fails with "process.exit(7) is called".',
    ],
    [
      'that never ends loading',
      { 'a.ts': 'await new Promise(() => undefined)' },
      'DIRECTORY/a.ts cannot be used: it fails with "it has not been loaded after 2 seconds".',
    ],
    [
      'of the same name as another',
      { 'a.ts': pluginOf('one'), 'b.ts': pluginOf('one') },
      'DIRECTORY/b.ts cannot be used: another plugin is called "one" too.',
    ],
  ] as const)('%s', async (_name, files, expected) => {
    const directory = directoryOf(files)
    const problem = (await problemOf(directory)).replaceAll(directory, 'DIRECTORY')
    expect(problem).toEqual(
      typeof expected === 'string' ? expect.stringContaining(expected) : expect.stringMatching(expected),
    )
    expect(problem).not.toContain('\n')
  })

  it('that does not exist', async () => {
    expect(await problemOf('nowhere')).toMatch(/^PLUGINS: there is no file or directory .+nowhere\.$/)
  })
})
