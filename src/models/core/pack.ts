import { choices } from '../../schema/choices.ts'
import { LOGGED, timestamps } from '../../schema/common.ts'
import { boolean, choice, json, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { appOf, type PackDocument, parsePack } from '../../schema/packs/pack-document.ts'
import { behaviour, type Normalizer, type Rule } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'

const packSource = choices([
  ['shipped', 'Shipped', 'blue'],
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
      help: 'The pack as data, in the form of pack.yaml; packs that ship have none',
      example: (n) => exampleDocument(n),
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

/** What a document adds, by kind. */
export const additionsOf = (document: PackDocument) => ({
  models: document.models?.map(({ name }) => `${appOf(document)}.${name}`) ?? [],
  labels: document.models?.map(({ labels: [, plural] }) => plural) ?? [],
  rules: document.models?.flatMap(({ rules = [] }) => rules).length ?? 0,
})

const describeOwn: Normalizer<typeof pack.fields> = ({ next, previous }) => {
  if (next.source === 'shipped') return undefined
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
  if (previous?.source === 'shipped') {
    if (next.document !== null) return { document: 'A pack that ships cannot be changed.' }
    return next.name === previous.name ? undefined : { name: 'A pack that ships cannot be renamed.' }
  }
  const document = parsePack(next.document)
  if ('problem' in document) return { document: `${document.problem}.` }
  if (next.name !== document.name) return { name: 'It has to be the name in the document.' }
  if (previous && previous.name !== next.name) return { document: 'The name of a pack cannot be changed.' }
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
    next.source === 'shipped' ? { __all__: 'A pack that ships cannot be deleted: switch it off.' } : undefined
  return behaviour(pack, { normalize: [describeOwn], modelRules: [isUsable, staysOn], deletionRules: [isOwn] })
}

/** A row for a pack that ships. */
export const shippedRow = (
  document: PackDocument,
): { readonly adds: ReturnType<typeof additionsOf> } & Readonly<
  Record<'name' | 'label' | 'version' | 'description' | 'source', string>
> => ({
  name: document.name,
  label: document.label ?? document.name,
  version: document.version ?? '',
  description: document.description ?? '',
  source: 'shipped',
  adds: additionsOf(document),
})

export const packModel = registered(pack, {
  columns: words('label enabled version description source problem'),
  panels: words('name label enabled version description source problem'),
  form: { Pack: words('enabled document') },
  setElsewhere: { name: 'the document' },
  filters: { '': words('enabled source') },
  bulkEdit: ['enabled'],
})
