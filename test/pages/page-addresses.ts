import { ID } from '../../src/api/routes.ts'
import { loadApplication, modelRegistry } from '../../src/app/core.ts'
import { withCustomModels } from '../../src/app/plugins/application.ts'
import { applicationPages, pagesOfPacks } from '../../src/app/plugins/pack-pages.ts'
import { readSettings } from '../../src/config/settings.ts'
import type { Database } from '../../src/db/database.ts'
import type { Authentication } from '../../src/identity/authenticate.ts'
import { storedCustomModels } from '../../src/models/custom-models/stored-types.ts'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model, Registry } from '../../src/schema/registry.ts'
import { pageRoutes } from '../../src/web/routes.ts'

/** All pages of the service by their patterns. */
export interface PageAddresses {
  readonly registry: Registry
  /** Address of the model's list; '' if it has no pages. */
  root(model: Model): string
  /** Addresses below the list of a model: `''`, `add/`, `:id/`, `:id/journal/`. */
  of(model: Model): readonly string[]
  /** Addresses that belong to no model. */
  readonly others: readonly string[]
}

/** The addresses that answer GET with a page, also for the models that users have defined in the database. */
export async function pageAddresses(database?: Database): Promise<PageAddresses> {
  const plain = await loadApplication(readSettings({}))
  const application = database ? withCustomModels(plain, await storedCustomModels(database)) : plain
  const registry = modelRegistry(application)
  // Only the addresses are read; no request is sent.
  const authentication = {} as Authentication
  const find = () => undefined
  const added = applicationPages(application, await pagesOfPacks(application.catalogue))
  const pages = [...pageRoutes(registry, { menu: application.menu, added }, authentication, { find })]
    .filter(([, { methods }]) => methods.GET !== undefined)
    .map(([pattern]) => pattern)
  const roots = new Map(
    [...registry.models.values()].flatMap((model) => {
      const root = pagePathOf(model)
      return root === undefined ? [] : [[model.name, root] as const]
    }),
  )
  const below = (root: string): readonly string[] =>
    pages.filter((page) => page.startsWith(root)).map((page) => page.slice(root.length))
  return {
    registry,
    root: ({ name }) => roots.get(name) ?? '',
    of: ({ name }) => {
      const root = roots.get(name)
      return root === undefined ? [] : below(root)
    },
    others: pages.filter((page) => ![...roots.values()].some((root) => page.startsWith(root))),
  }
}

/** The address with the id of an object. */
export const addressOf = (path: string, id: number): string => path.replace(ID, String(id))
