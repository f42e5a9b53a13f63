import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigurationError } from '../../base/errors.ts'
import { asPlain } from '../../schema/json.ts'
import { type PackDocument, parsePack } from '../../schema/packs/pack-document.ts'
import { readYamlDocuments } from '../../schema/yaml-documents.ts'
import { loadDefault } from './load.ts'
import { isPackCode, type PackCode } from './pack.ts'

/** A pack that ships with the program. */
export interface ShippedPack {
  readonly document: PackDocument
  /** What it does beyond data. */
  readonly code: PackCode | undefined
}

/** The packs that ship, by their names. */
export type Catalogue = ReadonlyMap<string, ShippedPack>

/** Folder with a folder for each pack, in a checkout and in the compiled package. */
const PACKS_FOLDER = fileURLToPath(
  new URL(import.meta.filename.endsWith('.ts') ? '../../../packs/' : '../../packs/', import.meta.url),
)

/** The code of a pack, in a checkout or in the package. */
const CODE_FILES = ['pack.ts', 'pack.js']

let loaded: Promise<Catalogue> | undefined

/** The packs that ship with the program. Throws ConfigurationError for one that cannot be read. */
export async function shippedPacks(): Promise<Catalogue> {
  loaded ??= loadCatalogue(PACKS_FOLDER)
  return await loaded
}

async function loadCatalogue(folder: string): Promise<Catalogue> {
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => existsSync(join(folder, name, 'pack.yaml')))
    : []
  const packs = new Map<string, ShippedPack>()
  // One after the other: while code is loaded, it must not end the process.
  for (const name of names.sort()) {
    const pack = await packAt(join(folder, name))
    packs.set(pack.document.name, pack)
  }
  return packs
}

/** The pack in a folder. Throws ConfigurationError. */
async function packAt(folder: string): Promise<ShippedPack> {
  const file = join(folder, 'pack.yaml')
  const document = readPack(file, readFileSync(file, 'utf8'))
  const code = CODE_FILES.map((name) => join(folder, name)).find((path) => existsSync(path))
  return { document, code: code === undefined ? undefined : await loadDefault(code, isPackCode, 'the code of a pack') }
}

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
