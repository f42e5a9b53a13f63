import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../bench/data/random.ts'
import { catalogueOf } from '../../src/api/graphql/catalogue.ts'
import { parametersOf } from '../../src/read/query/parameters.ts'
import { fillWorld } from '../permissions/world.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { measured } from '../support/processor-time.ts'

/**
 * Requests generated from the schema and from the parameters of lists, of at most 10 kB each, most of which no client
 * would send. None may fail with 5xx or take longer than a second. A failure is repeated by its seed.
 */
const LONGEST = 10_000
const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1)
const PER_SEED = 25

const api = await startApiWithOwnModels()
const { registry } = api.service
const { schema } = catalogueOf(registry)
const roots = Object.values(schema.getQueryType()?.getFields() ?? {})
const models = [...registry.models.values()].filter(({ path, definition }) => path !== '' && !definition.private)

/** Texts that are not valid for most fields, or that are expensive for a careless program. */
const TEXTS = [
  ...['', ' ', '0', '-1', '1', '1e308', '99999999999999999999', 'null', 'true', 'value-1', '١٢', '🙂'],
  ...['\\u0000', '\\ud800', '%', '_', "' or 1=1 --", '{}', '[[[[', '10.0.1.0/24', '::/0', '999.0.0.0/33'],
  ...['2020-01-01', '0000-00-00', '+292278994-08-17', '25:61', 'a'.repeat(600), '1'.repeat(600)],
  ...['(a*)*b', '(a|a)*$', '(a{1,200}){1,200}', '[', '(?i)', `${'('.repeat(100)}${')'.repeat(100)}`],
]

/** A text of at most `LONGEST` characters, made of generated parts. */
function fill(random: Random, parts: () => string, separator: string): string {
  const wanted = random.pick([100, 1_000, LONGEST])
  let text = ''
  for (;;) {
    const part = parts()
    if (text.length + separator.length + part.length > wanted) return text === '' ? part.slice(0, LONGEST) : text
    text += separator + part
  }
}

/** Documents of fragments that spread each other, aliases, unions, directives, nested inputs and lists. */
class Documents {
  readonly #random: Random
  /** Types of the fragments of a document. */
  #fragments: GraphQLNamedType[] = []

  constructor(random: Random) {
    this.#random = random
  }

  next(): string {
    this.#fragments = []
    const operation = `{ ${fill(this.#random, () => this.#field(this.#random.pick(roots), 3), ' ')} }`
    let text = operation
    for (let index = 0; index < this.#fragments.length; index++) {
      const type = this.#fragments[index]
      if (!type) break
      const isLast = text.length > LONGEST - 500 || index > 60
      // Fragments lead to later ones, and now and then to themselves.
      const selection = isLast ? '{ __typename }' : this.#selection(type, 2)
      text += ` fragment F${index} on ${type.name} ${selection}`
    }
    return text
  }

  #field({ name, type, args }: GraphQLField<unknown, unknown>, depth: number): string {
    const alias = this.#random.oneIn(40) ? `a${this.#random.below(20)}: ` : ''
    const given = args
      .filter((each) => !each.defaultValue && (each.name === 'id' || this.#random.oneIn(3)))
      .map((each) => `${each.name}: ${this.#value(each.type, this.#random.below(8))}`)
    const directive = this.#random.oneIn(20)
      ? ` @${this.#random.pick(['include', 'skip'])}(if: ${this.#random.pick(['true', 'false'])})`
      : ''
    const target = getNamedType(type)
    const below = isLeafType(target) ? '' : ` ${this.#selection(target, depth)}`
    return `${alias}${name}${given.length > 0 ? `(${given.join(', ')})` : ''}${directive}${below}`
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    if (isUnionType(type)) {
      const members = type.getTypes().filter(() => this.#random.oneIn(4))
      const parts = members.map((each) => `... on ${each.name} ${this.#selection(each, depth - 1)}`)
      return `{ __typename ${parts.join(' ')} }`
    }
    if (!isObjectType(type)) return ''
    const fields = Object.values(type.getFields())
    const offered = depth > 0 ? fields : fields.filter((each) => isLeafType(getNamedType(each.type)))
    const parts = Array.from({ length: 1 + this.#random.below(4) }, () => {
      if (depth > 0 && this.#random.oneIn(3)) return this.#spread(type)
      return offered.length > 0 ? this.#field(this.#random.pick(offered), depth - 1) : '__typename'
    })
    return `{ ${parts.join(' ')} }`
  }

  #spread(type: GraphQLNamedType): string {
    const same = this.#fragments.flatMap((each, index) => (each === type ? [index] : []))
    if (same.length === 0 || this.#random.oneIn(2)) same.push(this.#fragments.push(type) - 1)
    const names = Array.from({ length: 1 + this.#random.below(3) }, () => this.#random.pick(same))
    return names.map((index) => `...F${index}`).join(' ')
  }

  #value(given: GraphQLInputType, depth: number): string {
    if (this.#random.oneIn(30)) return `${'['.repeat(this.#random.below(50))}`
    const type = getNullableType(given)
    if (isListType(type)) {
      const items = Array.from({ length: this.#random.below(5) }, () => this.#value(type.ofType, depth - 1))
      return `[${items.join(', ')}]`
    }
    if (isEnumType(type)) return this.#random.pick(type.getValues()).name
    if (isInputObjectType(type)) {
      if (depth <= 0) return '{}'
      const fields = Object.values(type.getFields())
      const parts = Array.from({ length: 1 + this.#random.below(2) }, () => this.#random.pick(fields))
      return `{${[...new Set(parts)].map((each) => `${each.name}: ${this.#value(each.type, depth - 1)}`).join(', ')}}`
    }
    const text = this.#random.pick(TEXTS)
    if (type.name === 'Int' || type.name === 'Boolean') return /^-?\d+$/.test(text) ? text.slice(0, 9) : 'true'
    return `"${text.replaceAll('"', '')}"`
  }
}

/** The URL of a list with any combination of its parameters, and some unknown ones. */
function listAddress(random: Random): string {
  const model = random.pick(models)
  const names = [...parametersOf(registry, model).keys()]
  const others = [
    'q',
    'ordering',
    'limit',
    'offset',
    'fields',
    'omit',
    'exclude',
    'brief',
    'id',
    'nope',
    'cf_x__ic',
    'as_of',
    'start',
  ]
  const parts = () => {
    const name = random.oneIn(4) ? random.pick(others) : random.pick(names)
    const lookup = random.oneIn(10) ? random.pick(['__ic', '__regex', '__n__n', '__nope', '__empty', '__in']) : ''
    return `${name}${lookup}=${encodeURIComponent(JSON.parse(`"${random.pick(TEXTS).replaceAll('\\ud800', '?')}"`))}`
  }
  return `/api/${model.path}/?${fill(random, parts, '&').slice(0, LONGEST)}`
}

describe('generated requests', () => {
  beforeAll(async () => {
    await fillWorld(api.service.database, registry)
    await api.ask('POST', '/graphql/', { body: { query: '{ site_list { id } }' } })
  })
  afterAll(() => api.close())

  const measuredAnswer = async (method: string, path: string, query?: string) => {
    const { time, result } = await measured(() => api.ask(method, path, query === undefined ? {} : { body: { query } }))
    const { status, text } = result
    return {
      isFine: status < 500 && time < 1_000,
      status,
      time,
      text: text.slice(0, 300),
      path,
      query,
    }
  }

  describe.each(SEEDS)('of seed %i', (seed) => {
    it('GraphQL documents are answered or refused within a second', async () => {
      const documents = new Documents(createRandom(seed))
      for (let count = 0; count < PER_SEED; count++) {
        const answer = await measuredAnswer('POST', '/graphql/', documents.next())
        expect(answer).toMatchObject({ isFine: true, status: 200 })
      }
    })

    it('lists are answered or refused within a second', async () => {
      const random = createRandom(seed)
      for (let count = 0; count < PER_SEED; count++) {
        expect(await measuredAnswer('GET', listAddress(random))).toMatchObject({ isFine: true })
      }
    })
  })
})
