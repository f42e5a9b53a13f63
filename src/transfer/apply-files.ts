import { randomUUID } from 'node:crypto'
import { invalid } from '../base/errors.ts'
import { SERVICE_ACTOR, type User } from '../identity/actor.ts'
import { asTexts, isJsonObject, type Json, type JsonObject } from '../schema/json.ts'
import { readYamlDocuments } from '../schema/yaml-documents.ts'
import type { Service } from '../service.ts'
import { type ApplyOutcome, applyDocument } from '../write/apply/apply-document.ts'
import { DryRun, type DryRunReport } from '../write/dry-run/dry-run.ts'
import { runWrite } from '../write/run.ts'

/** The user that change records name. */
const actor: User = { ...SERVICE_ACTOR, username: 'apply' }

/** The result of applying documents, or of a dry run. */
export interface AppliedPlan {
  readonly effects: Pick<DryRunReport, 'created' | 'changed' | 'deleted' | 'records'>
  readonly counts: Readonly<Record<ApplyOutcome, number>>
}

interface ApplyOptions {
  readonly dryRun: boolean
  /** Scope in which objects are deleted that the documents do not list, in addition to the scope in the documents. */
  readonly prune?: string | undefined
}

/** A file of documents, YAML or JSON. */
interface DocumentFile {
  /** For messages. */
  readonly name: string
  readonly text: string
}

/** Applies the documents of these files as a single one, all or nothing. Throws ApiError. */
export async function applyFiles(
  service: Service,
  files: readonly DocumentFile[],
  { dryRun, prune }: ApplyOptions,
): Promise<AppliedPlan> {
  const scope = prune === undefined ? [] : [{ objects: {}, prune }]
  const document = joined([...files.flatMap(documentsIn), ...scope])
  const write = async (trial?: DryRun) =>
    await runWrite(service, { actor, requestId: randomUUID(), dryRun: trial }, (context) =>
      applyDocument(context, document),
    )
  const trial = new DryRun()
  const tried = await write(trial)
  const isDone = dryRun || tried.every(({ outcome }) => outcome === 'unchanged')
  const applied = isDone ? tried : await write()
  const number = (outcome: ApplyOutcome) => applied.filter((result) => result.outcome === outcome).length
  return {
    effects: trial.report,
    counts: {
      created: number('created'),
      updated: number('updated'),
      unchanged: number('unchanged'),
      deleted: number('deleted'),
    },
  }
}

/** Documents of a file. Throws `invalid` if it cannot be read. */
function documentsIn({ name, text }: DocumentFile): readonly Json[] {
  try {
    return readYamlDocuments(text)
  } catch (error) {
    throw invalid({ [name]: [error instanceof Error ? error.message : String(error)] })
  }
}

/**
 * A single document with the objects of all documents, in their order. Throws if they contain different scopes or
 * messages.
 */
function joined(documents: readonly Json[]): JsonObject {
  const objects: Record<string, Json[]> = {}
  for (const document of documents) {
    const lists = isJsonObject(document) ? document.objects : undefined
    if (!isJsonObject(lists)) {
      throw invalid({ objects: ['Expected lists of objects by their object types.'] })
    }
    for (const [type, list] of Object.entries(lists)) {
      if (!Array.isArray(list)) throw invalid({ objects: { [type]: ['Expected a list of objects.'] } })
      objects[type] = [...(objects[type] ?? []), ...list]
    }
  }
  return { objects, ...onlyOne(documents, 'prune'), ...onlyOne(documents, 'changelog_message') }
}

/** The member of that name, which several documents may have. */
function onlyOne(documents: readonly Json[], name: string): JsonObject {
  const texts = new Set(
    documents.flatMap((document) => {
      const value = isJsonObject(document) ? document[name] : undefined
      return value === undefined ? [] : [JSON.stringify(asTexts(value))]
    }),
  )
  if (texts.size > 1) throw invalid({ [name]: ['The documents have different values for this.'] })
  return Object.fromEntries([...texts].map((text) => [name, JSON.parse(text) as Json]))
}
