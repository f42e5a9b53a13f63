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
import { subjectMenu } from './sidebar.ts'

/** The subjects of the menu that the sender may view; the entry of the current model is marked. */
export type MenuSubjects = (request: ApiRequest, current: Model | undefined) => readonly Html[]

/**
 * Maximum number of cached subjects: there is one for each set of users who see the same, and for each current entry.
 */
const MOST_CACHED = 2_000

/** A menu whose subjects are rendered once for all users who see the same part of it. */
export function createMenuSubjects(menu: readonly MenuSection[]): MenuSubjects {
  const rendered = new LRUCache<string, Html>({ max: MOST_CACHED })
  return (request, current) =>
    menu.flatMap(({ label, groups }) => {
      const shown = groups
        .map((group) => visibleIn(request, group))
        .filter(({ models, pages }) => models.length + pages.length > 0)
      if (shown.length === 0) return []
      const key = keyOf(label, shown, current)
      let subject = rendered.get(key)
      if (!subject) {
        const { basePath } = request.service.settings
        subject = subjectMenu(basePath, {
          label,
          groups: shown.map((each) => entriesOf(each, current)),
        })
        rendered.set(key, subject)
      }
      return [subject]
    })
}

/** The part of a group that a user sees. */
interface VisibleGroup {
  readonly label: string
  readonly models: readonly { readonly model: Model; readonly mayAdd: boolean }[]
  readonly pages: readonly { readonly label: string; readonly path: string }[]
}

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
const keyOf = (label: string, groups: readonly VisibleGroup[], current: Model | undefined): string =>
  [
    currentLanguage(),
    label,
    ...groups.flatMap(({ models, pages }) => [
      ...models.map(({ model, mayAdd }) => [model.name, mayAdd ? '+' : '', model === current ? '*' : ''].join('')),
      ...pages.map(({ path }) => path),
    ]),
  ].join(' ')

const entriesOf = (
  { label, models, pages }: VisibleGroup,
  current: Model | undefined,
): MenuEntries['groups'][number] => ({
  label,
  entries: [
    ...models.map(({ model, mayAdd }) => ({
      label: shownPlural(model),
      path: pagePathOf(model) ?? '/',
      isCurrent: model === current,
      ...(mayAdd && { addLabel: translate('Add {model}', { model: shownNoun(model) }) }),
    })),
    ...pages.map((page) => ({
      label: sentenceCase(page.label),
      path: page.path,
      isCurrent: false,
    })),
  ],
})
