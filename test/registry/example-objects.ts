import { type Body, exampleBody } from '../../src/schema/example-values.ts'
import type { Model, Registry } from '../../src/schema/registry.ts'
import type { Api, ApiAnswer, Document } from '../support/api.ts'

/** Example objects of each model, if there are that many; the n-th refers to the n-th of other models. */
const EXAMPLES = 5

/** Models with a collection that can be read. */
export const collections = ({ models }: Registry): readonly Model[] =>
  [...models.values()].filter((model) => model.path !== '' && offers(model, 'GET'))

/** Whether the model's endpoints have the method. */
export const offers = ({ definition }: Model, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'): boolean =>
  definition.methods === undefined || definition.methods.includes(method)

/** Objects of all models, made through the API from the examples of their fields. */
export class ExampleObjects {
  readonly #api: Api
  /** Objects by model, as responses show them, in the order of their creation. */
  readonly #objects = new Map<Model, readonly Document[]>()
  /** Why objects of a model could not be created, or deleted. */
  readonly #refusals = new Map<Model, string>()

  readonly #firstBody: (model: Model) => Body | undefined

  /** `firstBody` may give a model's first object another body. */
  constructor(api: Api, firstBody: (model: Model) => Body | undefined = () => undefined) {
    this.#api = api
    this.#firstBody = firstBody
  }

  /** Creates objects of all models: in rounds, since some refer to others. */
  async createAll(): Promise<void> {
    await this.#inRounds(collections(this.#api.service.registry), (model) => this.#create(model))
  }

  /** Deletes them, the newest first: in rounds, since some protect others. */
  async deleteAll(): Promise<void> {
    const models = [...this.#objects.keys()].filter((model) => offers(model, 'DELETE'))
    await this.#inRounds(models.toReversed(), (model) => this.#delete(model))
  }

  /** The model's objects; throws the reason if they could not be created or deleted. */
  of(model: Model): readonly Document[] {
    const refusal = [...this.#refusals].find(([{ name }]) => name === model.name)?.[1]
    if (refusal !== undefined) throw new Error(refusal)
    return this.#named(model.name)
  }

  /** A field of the model's first object, as text. */
  field(model: string, name: string): string | undefined {
    const value: unknown = this.#named(model)[0]?.[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }

  /** The body of the n-th object; undefined if there is none. */
  body(model: Model, n: number, whole = false): Body | undefined {
    const find = (name: string, position: number): number | undefined => {
      const id = this.#named(name)[position - 1]?.id
      return id === undefined ? undefined : Number(id)
    }
    const { body, missing } = exampleBody(this.#api.service.registry, model, n, find, { whole })
    if (missing.length > 0) throw new Error(missing.join('\n'))
    return body
  }

  #named(name: string): readonly Document[] {
    return [...this.#objects].find(([model]) => model.name === name)?.[1] ?? []
  }

  /** Works on the models until none of the remaining ones succeeds. */
  async #inRounds(models: readonly Model[], work: (model: Model) => Promise<void>): Promise<void> {
    const refused: Model[] = []
    for (const model of models) {
      try {
        await work(model)
        this.#refusals.delete(model)
      } catch (error) {
        this.#refusals.set(model, `${model.name}: ${error instanceof Error ? error.message : error}`)
        refused.push(model)
      }
    }
    if (refused.length > 0 && refused.length < models.length) await this.#inRounds(refused, work)
  }

  /** The first object on its own with every field, the others together with only the required ones. */
  async #create(model: Model): Promise<void> {
    if (!offers(model, 'POST')) {
      const { json } = await this.#api.ask('GET', `/api/${model.path}/?limit=${EXAMPLES}`)
      this.#objects.set(model, json.results ?? [])
      return
    }
    const bodies = Array.from({ length: EXAMPLES }, (_, index) => {
      const body = index === 0 ? this.#firstBody(model) : undefined
      return body ?? this.body(model, index + 1, index === 0)
    }).filter((body) => body !== undefined)
    const isForm = bodies.some((body) => Object.values(body).some((each) => each instanceof Blob))
    const created: Document[] = []
    for (const sent of isForm ? bodies.map(formOf) : [bodies[0], bodies.slice(1)]) {
      const answer = await this.#api.ask('POST', `/api/${model.path}/`, { body: sent })
      const objects = successful(answer, 201)
      created.push(...(Array.isArray(objects) ? objects : [objects]))
    }
    this.#objects.set(model, created)
  }

  /** The last object on its own, the others together. */
  async #delete(model: Model): Promise<void> {
    const url = `/api/${model.path}/`
    const ids = this.#named(model.name).map(({ id }) => Number(id))
    // Some may already have been deleted with their parents.
    const query = ids.map((id) => `id=${id}`).join('&')
    const { results = [] } = successful(await this.#api.ask('GET', `${url}?${query}`), 200)
    const left = (results as readonly Document[]).map(({ id }) => Number(id))
    const last = left.at(-1)
    if (last !== undefined) successful(await this.#api.ask('DELETE', `${url}${last}/`), 204)
    const body = left.slice(0, -1).map((id) => ({ id }))
    successful(await this.#api.ask('DELETE', url, { body }), 204)
    this.#objects.set(model, [])
  }
}

/** The document of a response with that status; otherwise throws the content of the response. */
function successful({ status, text }: ApiAnswer, expected: number): Document {
  if (status !== expected) throw new Error(`${status} ${text}`)
  return text === '' ? ({} as Document) : JSON.parse(text)
}

/** The body as a form, for files. */
export function formOf(body: Body): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.set(name, value, 'example.gif')
    else form.set(name, String(value))
  }
  return form
}
