import { LRUCache } from 'lru-cache'
import { cachedPreferencesOf } from '../../api/actions/users/config.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import type { Settings } from '../../config/settings.ts'
import type { Actor, PermissionAction } from '../../identity/actor.ts'
import { mayAct, permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { cachedColumn } from '../../read/query/cached-column.ts'
import { isJsonObject, type JsonObject, stringsIn } from '../../schema/json.ts'
import type { MenuGroup, MenuIcon, MenuSection } from '../../schema/menu.ts'
import { oncePer } from '../../schema/once-per.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { mainOf } from '../../service.ts'
import { join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { shownNoun, shownPlural } from '../components/model-title.ts'
import { addPathOf, isImportable, offersMethod } from '../components/offered-methods.ts'
import { viewLinks } from '../data/saved-views.ts'
import type { Content, Html } from '../html.ts'
import { currentLanguage } from '../texts/language.ts'
import { sentenceCase, translate } from '../texts/translate.ts'
import type { MenuEntries } from './page.ts'
import { menuTop, subjectMenu } from './sidebar.ts'

/** The menu that the sender may view, with one entry marked. `model`: what the page is about. */
type MenuSubjects = (request: ApiRequest, model: Model | undefined) => Promise<readonly Content[]>

/**
 * Maximum number of cached subjects: there is one for each set of users who see the same, and for each current entry.
 */
const MOST_CACHED = 2_000

/** A menu whose subjects are rendered once for all users who see the same part of it. */
export function createMenuSubjects(menu: readonly MenuSection[]): MenuSubjects {
  const rendered = new LRUCache<string, Html>({ max: MOST_CACHED })
  // The menu asks for hundreds of permissions, which the configuration and the sender of a page determine.
  const menusOf = oncePer((settings: Settings, registry: Registry) =>
    oncePer((actor: Actor) => menu.flatMap((section) => visibleIn(registry, settings, actor, section) ?? [])),
  )
  const rare = menu.flatMap(({ groups }) => groups.flatMap((group) => group.rare ?? []))
  return async (request, model) => {
    const { settings, registry } = request.service
    const subjects = menusOf(settings, registry)(request.actor)
    const [empty, favorites, views] = await Promise.all([
      emptyAmong(request, rare),
      favoritesOf(request),
      viewLinks(request),
    ])
    const marked = [...pathsAbove(request), ...pathsOf(request, model)].find((path) =>
      subjects.some(({ paths }) => paths.has(path)),
    )
    const menus = subjects.map(({ label, icon, groups, paths, key }) => {
      const current = marked !== undefined && paths.has(marked) ? marked : undefined
      const models = groups.flatMap((group) => group.models.map((item) => item.model))
      const folded = models.filter(({ name }) => empty.has(name)).map(({ name }) => name)
      const keyOfMarkup = [currentLanguage(), key, current, ...folded].join(' ')
      let subject = rendered.get(keyOfMarkup)
      if (!subject) {
        const isFolded = ({ path }: { readonly path: string }) =>
          path !== current && models.some((candidate) => pathOf(candidate) === path && folded.includes(candidate.name))
        const all = groups.map((group) => entriesOf(group, current))
        const entries = {
          label,
          icon,
          groups: all
            .map((group) => ({ ...group, entries: group.entries.filter((entry) => !isFolded(entry)) }))
            .filter((group) => group.entries.length > 0),
          rare: all.flatMap((group) => group.entries.filter(isFolded)),
        }
        // Only the subject of the page is open.
        subject = subjectMenu(settings.basePath, entries, current !== undefined)
        rendered.set(keyOfMarkup, subject)
      }
      return subject
    })
    return [menuTop(settings.basePath, { favorites, views }), ...menus]
  }
}

/**
 * Those of the models that have no objects, among those of which the sender may view all: for others, the menu would
 * reveal whether there are hidden ones.
 */
async function emptyAmong({ service, actor }: ApiRequest, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { registry, settings } = service
  const models = names
    .map((name) => registry.model(name))
    .filter((model) => permittedRowsOrNone(actor, 'view', model, settings) === 'all')
  if (models.length === 0) return new Set()
  const filled = models.map((model) => sql`exists (select 1 from ${table(model)})`)
  const answers = await cachedColumn(mainOf(service), sql`select unnest(array[${join(filled)}])`)
  return new Set(models.filter((_, index) => answers[index] === false).map(({ name }) => name))
}

/** The lists that the user has marked as favorites, and may view. */
async function favoritesOf({ service, actor }: ApiRequest): Promise<readonly { label: string; path: string }[]> {
  if (actor.kind !== 'user') return []
  const { registry, settings } = service
  const names = favoriteNames(await cachedPreferencesOf(mainOf(service), actor.id))
  return names.flatMap((name) => {
    const model = registry.models.get(name)
    const path = model && mayAct(actor, 'view', model, settings) ? pagePathOf(model) : undefined
    return model && path !== undefined ? [{ label: shownPlural(model), path }] : []
  })
}

/**
 * Names of the models whose lists are favorites, in the user's preferences: `{"menu": {"favorites": ["dcim.device"]}}`.
 */
export const favoriteNames = ({ menu }: JsonObject): readonly string[] =>
  isJsonObject(menu) ? stringsIn(menu.favorites) : []

/** The part of a group that a user sees. */
interface VisibleGroup {
  readonly label: string
  readonly models: readonly { readonly model: Model; readonly mayAdd: boolean }[]
  readonly pages: readonly { readonly label: string; readonly path: string }[]
}

/** The part of a subject that a user sees. */
interface VisibleSubject {
  readonly label: string
  readonly icon: MenuIcon | undefined
  readonly groups: readonly VisibleGroup[]
  /** The paths of its entries. */
  readonly paths: ReadonlySet<string>
  /** Identifies the entries; users who see the same share the markup. */
  readonly key: string
}

/** The path of the page and those above it, the nearest first. */
function pathsAbove({ service, url }: ApiRequest): readonly string[] {
  const segments = url.pathname.slice(service.settings.basePath.length).split('/').slice(1, -1)
  return segments.map((_, index) => `/${segments.slice(0, segments.length - index).join('/')}/`)
}

/**
 * The list of the model, then, for models without an entry, those of the objects to which its objects belong: by their
 * context, then by required relations, then by others.
 */
function pathsOf({ service: { registry } }: ApiRequest, model: Model | undefined): readonly string[] {
  if (!model) return []
  const { context = [] } = registry.view(model)
  const relations = [...model.fields.values()]
    .filter((field) => field.kind === 'foreignKey')
    .toSorted((a, b) => Number(a.nullable === true) - Number(b.nullable === true))
  const owners = [...context.map((name) => model.fields.get(name)), ...relations].flatMap((field) =>
    field?.kind === 'foreignKey' ? [pathOf(registry.model(field.to))] : [],
  )
  return [pathOf(model), ...owners]
}

const pathOf = (model: Model): string => pagePathOf(model) ?? '/'

/** The entries that the actor may open; undefined if there are none. */
function visibleIn(
  registry: Registry,
  settings: Settings,
  actor: Actor,
  section: MenuSection,
): VisibleSubject | undefined {
  const may = (action: PermissionAction, model: Model) => mayAct(actor, action, model, settings)
  const visibleGroup = ({ label, models, pages = [] }: MenuGroup): VisibleGroup => ({
    label,
    models: models
      .map((name) => registry.model(name))
      .filter((model) => may('view', model))
      .map((model) => ({ model, mayAdd: offersMethod(model, 'POST') && may('add', model) })),
    pages: pages.filter(({ model }) =>
      model === undefined ? actor.kind === 'user' && actor.isSuperuser : may('view', registry.model(model)),
    ),
  })
  const groups = section.groups.map(visibleGroup).filter(({ models, pages }) => models.length + pages.length > 0)
  if (groups.length === 0) return undefined
  const entries = groups.flatMap(({ models, pages }) => [
    ...models.map(({ model, mayAdd }) => ({ path: pathOf(model), key: `${model.name}${mayAdd ? '+' : ''}` })),
    ...pages.map(({ path }) => ({ path, key: path })),
  ])
  return {
    ...{ label: section.label, icon: section.icon, groups },
    paths: new Set(entries.map(({ path }) => path)),
    key: [section.label, ...entries.map(({ key }) => key)].join(' '),
  }
}

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
      ...(mayAdd && {
        addLabel: translate('Add {model}', { model: shownNoun(model) }),
        addPath: addPathOf(model),
        isImportable: isImportable(model),
      }),
    })),
    ...pages.map((page) => ({
      label: sentenceCase(page.label),
      path: page.path,
      isCurrent: page.path === current,
    })),
  ],
})
