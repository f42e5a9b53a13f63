import { choices } from '../../schema/choices.ts'
import { LOGGED, timestamps } from '../../schema/common.ts'
import { boolean, choice, json, text } from '../../schema/field.ts'
import { isJsonObject } from '../../schema/json.ts'
import { model } from '../../schema/model.ts'
import {
  addressOf,
  appOf,
  type PackDocument,
  type PackSetting,
  parsePack,
  settingProblem,
} from '../../schema/packs/pack-document.ts'
import { behaviour, type Normalizer, type Rule } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'

const packSource = choices([
  ['shipped', 'Shipped', 'blue'],
  ['installed', 'Installed', 'purple'],
  ['own', 'Own', 'green'],
])

/** A pack: models and more that are added to the program while the service runs. */
export const pack = model({
  name: 'core.pack',
  path: 'core/packs',
  labels: ['pack', 'packs'],
  about: 'Further kinds of objects, with rules and pages: packs that ship with the program, and your own.',

  fields: {
    name: text({
      max: 50,
      unique: true,
      default: '',
      help: 'Also its address, below /api/plugins/',
      example: (n) => `pack-${n}`,
    }),
    label: text({ max: 100, default: '', readOnly: true }),
    enabled: boolean({
      default: false,
      help: 'Its models, rules and pages are available. Switching a pack off keeps its data',
    }),
    version: text({ max: 50, default: '', readOnly: true }),
    description: text({ max: 1000, default: '', readOnly: true }),
    source: choice(packSource, { default: 'own', readOnly: true, filter: 'single' }),
    /** What it adds, by kind: `{"models": ["netbox_bgp.bgpsession"], "labels": ["BGP sessions"], "rules": 3}`. */
    adds: json({ default: {}, readOnly: true, filter: false }),
    document: json({
      ...{ nullable: true, objectOnly: true, filter: false },
      help: 'The pack as data, in the form of pack.yaml; packs in folders have none',
      example: (n) => exampleDocument(n),
    }),
    settings: json({
      ...{ default: {}, objectOnly: true, filter: false },
      help: 'Values of its settings that differ from the defaults, by name',
      example: {},
    }),
    problem: text({ default: '', readOnly: true, filter: false, help: 'Why the service has switched it off' }),
    ...timestamps,
  },

  display: '{label}',
  brief: ['id', 'url', 'display', 'name', 'enabled', 'description'],
  order: ['name'],
  search: ['name', 'label', 'description'],
  naturalKey: ['name'],
  graphql: false,
  features: LOGGED,
  isShared: true,
})

const exampleDocument = (n: number) => ({
  name: `pack-${n}`,
  label: `Pack ${n}`,
  models: [{ name: 'thing', path: 'things', labels: ['thing', 'things'], fields: { name: { kind: 'text', max: 50 } } }],
})

type PackRule = Rule<typeof pack.fields>

/** What a document adds, by kind. Models without a path are its own affair. */
export function additionsOf(document: PackDocument) {
  const { models = [], settings = {} } = document
  const listed = models.filter(({ path }) => path !== undefined)
  return {
    address: addressOf(document),
    models: listed.map(({ name }) => `${appOf(document)}.${name}`),
    labels: listed.map(({ labels: [, plural] }) => plural),
    rules: models.flatMap(({ rules = [] }) => rules).length,
    settings,
  }
}

const describeOwn: Normalizer<typeof pack.fields> = ({ next, previous }) => {
  if (next.source !== 'own') return undefined
  const document = parsePack(next.document)
  if ('problem' in document) return undefined
  return {
    name: next.name === '' || next.name === previous?.name ? document.name : next.name,
    label: document.label ?? document.name,
    version: document.version ?? '',
    description: document.description ?? '',
    adds: additionsOf(document),
    problem: '',
  }
}

const isUsable: PackRule = ({ next, previous }) => {
  if (previous && previous.source !== 'own') {
    if (next.document !== null) return { document: 'A pack in a folder cannot be changed here.' }
    if (next.name !== previous.name) return { name: 'A pack in a folder cannot be renamed here.' }
    return next.enabled && next.problem === NOT_INSTALLED ? { enabled: NOT_INSTALLED } : undefined
  }
  const document = parsePack(next.document)
  if ('problem' in document) return { document: `${document.problem}.` }
  if (next.name !== document.name) return { name: 'It has to be the name in the document.' }
  if (previous && previous.name !== next.name) return { document: 'The name of a pack cannot be changed.' }
  return undefined
}

/** The settings that a pack declares, from the field `adds`. */
export function declaredSettings(adds: unknown): Readonly<Record<string, PackSetting>> {
  const settings = isJsonObject(adds) ? adds.settings : undefined
  return isJsonObject(settings) ? (settings as Readonly<Record<string, PackSetting>>) : {} // from a document
}

const hasFittingSettings: PackRule = ({ next }) => {
  const declared = declaredSettings(next.adds)
  for (const [name, value] of Object.entries(isJsonObject(next.settings) ? next.settings : {})) {
    const setting = Object.hasOwn(declared, name) ? declared[name] : undefined
    const problem = setting ? settingProblem(setting, value) : 'The pack has no such setting.'
    if (problem !== undefined) return { settings: `${name}: ${problem}` }
  }
  return undefined
}

/** Names of packs that the setting PACKS keeps on. */
type AlwaysOn = () => readonly string[]

/** Rules of packs. */
export const packBehaviour = (alwaysOn: AlwaysOn) => {
  const staysOn: PackRule = ({ next }) =>
    !next.enabled && alwaysOn().includes(next.name)
      ? { enabled: 'The setting PACKS names this pack, so that it is always on.' }
      : undefined
  const isOwn: PackRule = ({ next }) =>
    next.source !== 'own' && next.problem !== NOT_INSTALLED
      ? { __all__: 'A pack in a folder cannot be deleted: switch it off.' }
      : undefined
  return behaviour(pack, {
    normalize: [describeOwn],
    modelRules: [isUsable, staysOn, hasFittingSettings],
    deletionRules: [isOwn],
  })
}

/** The problem of a pack whose folder is gone. */
export const NOT_INSTALLED = 'Its folder is not there any more.'

/** A row for a pack in a folder. */
export const installedRow = (
  document: PackDocument,
  source: 'shipped' | 'installed',
): { readonly adds: ReturnType<typeof additionsOf> } & Readonly<
  Record<'name' | 'label' | 'version' | 'description' | 'source', string>
> => ({
  name: document.name,
  label: document.label ?? document.name,
  version: document.version ?? '',
  description: document.description ?? '',
  source,
  adds: additionsOf(document),
})

export const packModel = registered(pack, {
  columns: words('label enabled version description source problem'),
  panels: words('name label enabled version description source problem'),
  form: { Pack: words('enabled document') },
  setElsewhere: { name: 'the document', settings: 'the page of its settings' },
  filters: { '': words('enabled source') },
  bulkEdit: ['enabled'],
})
