import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigurationError } from '../../base/errors.ts'
import { asPlain } from '../../schema/json.ts'
import { type PackDocument, parsePack } from '../../schema/packs/pack-document.ts'
import { readYamlDocuments } from '../../schema/yaml-documents.ts'
import { loadDefault } from './load.ts'
import { isPackCode, type PackCode, packPlugin } from './pack.ts'

/** A pack in a folder: one that ships with the program, or one that PLUGINS names. */
export interface InstalledPack {
  readonly source: 'shipped' | 'installed'
  readonly document: PackDocument
  /** What it does beyond data. */
  readonly code: PackCode | undefined
  /** It adds to the pages: see `pagesOfPacks`. */
  readonly hasPages: boolean
  readonly folder: string
}

/** The packs in folders, by their names. */
export type Catalogue = ReadonlyMap<string, InstalledPack>

/** Folder with a folder for each pack, in a checkout and in the compiled package. */
const PACKS_FOLDER = fileURLToPath(
  new URL(import.meta.filename.endsWith('.ts') ? '../../../packs/' : '../../packs/', import.meta.url),
)

const MANIFEST = 'pack.yaml'

/** The code of a pack, in a checkout or in the package. */
const CODE_FILES = ['pack.ts', 'pack.js']
/** Its pages. */
export const PAGE_FILES = ['pages.ts', 'pages.js']

let shipped: Promise<Catalogue> | undefined

/** The packs that ship with the program, and those in further folders. Throws ConfigurationError for one that cannot be used. */
export async function loadCatalogue(folders: readonly string[] = []): Promise<Catalogue> {
  shipped ??= shippedPacks()
  const packs = new Map(await shipped)
  for (const folder of folders) {
    const pack = await packAt(folder, 'installed')
    requireDeclarable(pack)
    const { name, enabled = true } = pack.document
    if (packs.has(name)) throw new ConfigurationError(`PLUGINS: ${folder}: there is a pack ${name} already.`)
    packs.set(name, { ...pack, document: { ...pack.document, enabled } })
  }
  return packs
}

/** Throws ConfigurationError for a document that is wrong on its own: a pattern that is none, a parent that is no relation. */
function requireDeclarable({ document, code, folder }: InstalledPack): void {
  try {
    packPlugin(document, code)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigurationError(`The pack ${join(folder, MANIFEST)} cannot be used: ${reason}.`)
  }
}

/** Whether the path is a folder with a pack. */
export const isPackFolder = (path: string): boolean => existsSync(join(path, MANIFEST))

async function shippedPacks(): Promise<Catalogue> {
  const names = existsSync(PACKS_FOLDER)
    ? readdirSync(PACKS_FOLDER).filter((name) => isPackFolder(join(PACKS_FOLDER, name)))
    : []
  const packs = new Map<string, InstalledPack>()
  // One after the other: while code is loaded, it must not end the process.
  for (const name of names.sort()) {
    const pack = await packAt(join(PACKS_FOLDER, name), 'shipped')
    packs.set(pack.document.name, pack)
  }
  return packs
}

/** The pack in a folder. Throws ConfigurationError. */
async function packAt(folder: string, source: InstalledPack['source']): Promise<InstalledPack> {
  const file = join(folder, MANIFEST)
  const document = readPack(file, readFileSync(file, 'utf8'))
  const code = fileIn(folder, CODE_FILES)
  return {
    ...{ source, document, folder, hasPages: fileIn(folder, PAGE_FILES) !== undefined },
    code: code === undefined ? undefined : await loadDefault(code, isPackCode, 'the code of a pack'),
  }
}

/** The first of the files that is in the folder. */
export const fileIn = (folder: string, names: readonly string[]): string | undefined =>
  names.map((name) => join(folder, name)).find((path) => existsSync(path))

/** The pack in the text of a file. Throws ConfigurationError. */
export function readPack(file: string, text: string): PackDocument {
  const document = parsePack(asPlain(yamlIn(file, text)))
  if ('problem' in document) throw new ConfigurationError(`The pack ${file} cannot be used: ${document.problem}.`)
  return document
}

function yamlIn(file: string, text: string): unknown {
  try {
    return readYamlDocuments(text)[0]
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : []
    throw new ConfigurationError(`The pack ${file} is not YAML: ${reason}.`)
  }
}
