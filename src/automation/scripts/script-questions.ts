import { stat } from 'node:fs/promises'
import { basename, dirname, join, normalize } from 'node:path'
import type { User } from '../../identity/actor.ts'
import { permittedRowsOrNone, userInBranch } from '../../identity/permitted-rows.ts'
import { branchService, openBranch } from '../../read/branches/branch-service.ts'
import { className } from '../../schema/class-name.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, parseJson } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { pathInBranch, type Service } from '../../service.ts'
import { identifier, volatile } from '../../sql/fragment.ts'
import type { InProcessRequest, InProcessResponse } from '../jobs/in-process-request.ts'
import { Unanswerable } from '../python/questions/inventory-queries.ts'
import { ScriptInventory } from '../python/questions/script-inventory.ts'
import { pythonText } from './python-text.ts'

/** What a Python script may do, and on whose behalf. */
export interface ScriptScope {
  /** The service within the script's transaction, which begins with the first call. */
  readonly open: () => Promise<Service>
  /** Whose permissions decide what the script reads and writes. */
  readonly actor: User
  /** The person who runs it. */
  readonly person: User
  readonly request: Pick<InProcessRequest, 'id' | 'base' | 'signal'>
  /** `schema_id` of the branch in which it reads and writes; undefined for the inventory that `open` answers with. */
  readonly branch: string | undefined
  readonly respond: (request: InProcessRequest) => Promise<InProcessResponse>
  /** Directory of scripts. */
  readonly root: string
  readonly log: (
    level: string,
    message: string,
    of: { readonly object: string | null; readonly url: string | null },
  ) => void
}

/** Answers the questions of a Python script. Each answer is a value; throws `Unanswerable` with a text for its author. */
export class ScriptQuestions {
  readonly #scope: ScriptScope
  #inventory: ScriptInventory | undefined

  constructor(scope: ScriptScope) {
    this.#scope = scope
  }

  async answer(question: JsonObject): Promise<unknown> {
    switch (question.ask) {
      case 'log':
        return this.#log(question)
      case 'source':
        return await this.#source(String(question.name))
      case 'write':
        return await this.#write(question)
      case 'delete':
        return await this.#delete(question)
      case 'savepoint':
        return await this.#savepoint(question)
      default:
        return await this.#read(question)
    }
  }

  /** A question that the database refuses leaves the transaction as it was, so that the script can go on. */
  async #read(question: JsonObject): Promise<unknown> {
    const inventory = await this.#reading()
    const { database } = await this.#scope.open()
    return await database.transaction(() => inventory.answer(question))
  }

  async #reading(): Promise<ScriptInventory> {
    const { open, actor, person, branch } = this.#scope
    this.#inventory ??=
      branch === undefined ? new ScriptInventory(await open(), actor, person) : await this.#readingIn(branch)
    return this.#inventory
  }

  /** The inventory of the branch, under the conditions under which its requests find it (`requestInBranch`). */
  async #readingIn(branch: string): Promise<ScriptInventory> {
    const { open, actor, person } = this.#scope
    const service = await open()
    const visible = permittedRowsOrNone(actor, 'view', service.registry.model(SYSTEM.branch), service.settings)
    const inBranch = branchService(service, await openBranch(service, branch, visible))
    return new ScriptInventory(inBranch, userInBranch(actor), userInBranch(person))
  }

  #log({ level, message, object, url }: JsonObject): null {
    const text = (value: Json | undefined) => (typeof value === 'string' ? value : null)
    this.#scope.log(String(level), String(message), { object: text(object), url: text(url) })
    return null
  }

  /** Text of a file in the directory of scripts; null if there is none. A directory is a package without a file, too. */
  async #source(name: string): Promise<string | null> {
    if (normalize(name) !== name || name.startsWith('..') || name.startsWith('/')) return null
    const path = join(this.#scope.root, name)
    const isPackage = async () => basename(path) === '__init__.py' && (await stat(dirname(path))).isDirectory()
    return await pythonText(path).catch(async () => ((await isPackage().catch(() => false)) ? '' : null))
  }

  #model(name: Json | undefined, service: Service): Model {
    const model = service.registry.models.get(String(name))
    if (!model || model.path === '') throw new Unanswerable(`Scripts cannot write ${name}`)
    return model
  }

  async #send(method: string, path: string, body: unknown): Promise<{ readonly status: number; readonly body: Json }> {
    const { open, actor, request, branch, respond } = this.#scope
    const service = await open()
    const sent = { ...request, service, actor, method, path: pathInBranch(branch, path), body: body ?? undefined }
    const response = await respond(sent)
    return { status: response.status, body: response.body ? (parseJson(response.body) as Json) : null } // a response
  }

  /** A write of one object or of a list; `tried`: carried out and rolled back. */
  async #write({ method, model: name, body, tried }: JsonObject): Promise<JsonObject> {
    const model = this.#model(name, await this.#scope.open())
    const isDry = tried === true
    const objectPath = isJsonObject(body) && typeof body.id === 'number' ? `${body.id}/` : ''
    const path = `/api/${model.path}/${objectPath}${isDry ? '?dry_run=true' : ''}`
    const answer = await this.#send(String(method), path, body)
    if (!isDry || answer.status !== 200 || !isJsonObject(answer.body)) return { ...answer, tried: isDry }
    return { status: Number(answer.body.status), body: answer.body.result ?? null, tried: true }
  }

  /** Deletes objects with their dependents. The number of deleted rows by model, or what protects them. */
  async #delete({ model: name, ids }: JsonObject): Promise<JsonObject> {
    const model = this.#model(name, await this.#scope.open())
    const requestedIds = (Array.isArray(ids) ? ids : []).map(Number)
    const path = requestedIds.length === 1 ? `/api/${model.path}/${requestedIds[0]}/` : `/api/${model.path}/`
    const body = requestedIds.length === 1 ? undefined : requestedIds.map((id) => ({ id }))
    const tried = await this.#send('DELETE', `${path}?dry_run=true`, body)
    const report = isJsonObject(tried.body) ? tried.body : {}
    const status = tried.status === 200 ? Number(report.status) : tried.status
    if (status === 409) {
      const result = isJsonObject(report.result) ? report.result : {}
      return {
        status,
        detail: result.detail ?? '',
        protected: await (await this.#reading()).protectors(model, requestedIds),
      }
    }
    const answer = status < 300 ? await this.#send('DELETE', path, body) : { status, body: report.result ?? tried.body }
    return { ...answer, counts: countsOf((await this.#scope.open()).registry, report) }
  }

  async #savepoint({ action, name }: JsonObject): Promise<null> {
    const { database } = await this.#scope.open()
    const point = identifier(String(name))
    if (action === 'begin') await database.execute(volatile`savepoint ${point}`)
    else if (action === 'release') await database.execute(volatile`release savepoint ${point}`)
    else await database.execute(volatile`rollback to savepoint ${point}`)
    return null
  }
}

/** Numbers of deleted rows by class: `dcim.Site`. */
function countsOf({ models }: Registry, { deleted }: JsonObject): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { object_type: type } of objectsIn(deleted ?? null)) {
    const model = models.get(String(type))
    const name = model ? `${model.app}.${className(model)}` : String(type)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
