import { ConfigurationError } from '../../base/errors.ts'
import { combinedContributions, isPackPages, type PageContributions } from '../../web/frame/contributions.ts'
import { addStaticFiles } from '../../web/frame/static-files.ts'
import { addTranslations } from '../../web/texts/dictionaries.ts'
import type { Application } from './application.ts'
import { type Catalogue, fileIn, PAGE_FILES } from './catalogue.ts'
import { loadDefault } from './load.ts'

/** What packs add to the pages, by their names. */
export type PagesOfPacks = ReadonlyMap<string, PageContributions>

/** The pages of all packs of the catalogue, on or off; only the server needs them. Throws ConfigurationError. */
export async function pagesOfPacks(catalogue: Catalogue): Promise<PagesOfPacks> {
  const pages = new Map<string, PageContributions>()
  for (const [name, { folder }] of catalogue) {
    const file = fileIn(folder, PAGE_FILES)
    try {
      addTranslations(folder)
      if (file !== undefined) addStaticFiles(folder)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new ConfigurationError(`The pack ${folder} cannot be used: ${reason}.`)
    }
    if (file === undefined) continue
    pages.set(name, await loadDefault(file, isPackPages, 'the pages of a pack'))
  }
  return pages
}

/** What the packs that are on add to the pages. */
export const applicationPages = ({ plugins }: Application, pages: PagesOfPacks): PageContributions =>
  combinedContributions(plugins.flatMap(({ pack = '' }) => pages.get(pack) ?? []))
