import { LRUCache } from 'lru-cache'
import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { MenuGroup, MenuSection } from '../../schema/menu.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { Html } from '../components/html.ts'
import { shownNoun, shownPlural } from '../components/model-title.ts'
import { offersMethod } from '../components/offered-methods.ts'
import { currentLanguage } from '../texts/language.ts'
import { sentenceCase, translate } from '../texts/translate.ts'
import type { MenuEntries } from './page.ts'
import { subjectMenu, subjectName } from './sidebar.ts'
import { displayChoices } from './theme.ts'

/** The subjects of the menu that the sender may view, with one entry marked. `model`: what the page is about. */
type MenuSubjects = (request: ApiRequest, model: Model | undefined) => readonly Html[]

/**
 * Maximum number of cached subjects: there is one for each set of users who see the same, and for each current entry.
 */
const MOST_CACHED = 2_000

/** A menu whose subjects are rendered once for all users who see the same part of it. */
export function createMenuSubjects(menu: readonly MenuSection[]): MenuSubjects {
  const rendered = new LRUCache<string, Html>({ max: MOST_CACHED })
  return (request, model) => {
    const sections = menu
      .map(({ label, groups }) => ({
        label,
        shown: groups
          .map((group) => visibleIn(request, group))
          .filter(({ models, pages }) => models.length + pages.length > 0),
      }))
      .filter(({ shown }) => shown.length > 0)
    const paths = new Set(sections.flatMap(({ shown }) => shown.flatMap(pathsOf)))
    const { openSubjects } = displayChoices(request.headers.cookie)
    const marked = [...pathsAbove(request), ...pathsOfOwners(request, model)].find((path) => paths.has(path))
    return sections.map(({ label, shown }) => {
      const current = shown.some((group) => pathsOf(group).includes(marked ?? '')) ? marked : undefined
      // The subject of the current page is open, and those that the user has opened.
      const isOpen = current !== undefined || openSubjects.includes(subjectName(label))
      const key = `${keyOf(label, shown, current)} ${isOpen}`
      let subject = rendered.get(key)
      if (!subject) {
        const { basePath } = request.service.settings
        subject = subjectMenu(basePath, { label, groups: shown.map((group) => entriesOf(group, current)) }, isOpen)
        rendered.set(key, subject)
      }
      return subject
    })
  }
}

/** The part of a group that a user sees. */
interface VisibleGroup {
  readonly label: string
  readonly models: readonly { readonly model: Model; readonly mayAdd: boolean }[]
  readonly pages: readonly { readonly label: string; readonly path: string }[]
}

/** The path of the page and those above it, the nearest first. */
function pathsAbove({ service, url }: ApiRequest): readonly string[] {
  const segments = url.pathname.slice(service.settings.basePath.length).split('/').slice(1, -1)
  return segments.map((_, index) => `/${segments.slice(0, segments.length - index).join('/')}/`)
}

/**
 * The lists of the objects to which those of the model belong, for models without an entry: by their context, then by
 * required relations, then by others.
 */
function pathsOfOwners({ service: { registry } }: ApiRequest, model: Model | undefined): readonly string[] {
  if (!model) return []
  const { context = [] } = registry.view(model)
  const relations = [...model.fields.values()]
    .filter((field) => field.kind === 'foreignKey')
    .toSorted((a, b) => Number(a.nullable === true) - Number(b.nullable === true))
  return [...context.map((name) => model.fields.get(name)), ...relations].flatMap((field) =>
    field?.kind === 'foreignKey' ? [pathOf(registry.model(field.to))] : [],
  )
}

const pathsOf = ({ models, pages }: VisibleGroup): readonly string[] => [
  ...models.map(({ model }) => pathOf(model)),
  ...pages.map(({ path }) => path),
]

const pathOf = (model: Model): string => pagePathOf(model) ?? '/'

function visibleIn({ actor, service }: ApiRequest, { label, models, pages = [] }: MenuGroup): VisibleGroup {
  const { registry, settings } = service
  const mayView = (name: string) => mayAct(actor, 'view', registry.model(name), settings)
  return {
    label,
    models: models.filter(mayView).map((name) => {
      const model = registry.model(name)
      return {
        model,
        mayAdd: offersMethod(model, 'POST') && mayAct(actor, 'add', model, settings),
      }
    }),
    pages: pages.filter(({ model }) =>
      model === undefined ? actor.kind === 'user' && actor.isSuperuser : mayView(model),
    ),
  }
}

/** Everything that the markup of the subject depends on besides the menu itself. */
const keyOf = (label: string, groups: readonly VisibleGroup[], current: string | undefined): string =>
  [
    currentLanguage(),
    label,
    current ?? '',
    ...groups.flatMap(({ models, pages }) => [
      ...models.map(({ model, mayAdd }) => `${model.name}${mayAdd ? '+' : ''}`),
      ...pages.map(({ path }) => path),
    ]),
  ].join(' ')

const entriesOf = (
  { label, models, pages }: VisibleGroup,
  current: string | undefined,
): MenuEntries['groups'][number] => ({
  label,
  entries: [
    ...models.map(({ model, mayAdd }) => ({
      label: shownPlural(model),
      path: pathOf(model),
      isCurrent: pathOf(model) === current,
      ...(mayAdd && { addLabel: translate('Add {model}', { model: shownNoun(model) }) }),
    })),
    ...pages.map((page) => ({
      label: sentenceCase(page.label),
      path: page.path,
      isCurrent: page.path === current,
    })),
  ],
})
