import { empty, Sql, sql } from './fragment.ts'
import { type Statement, StatementBuilder } from './statement.ts'

/** The place of a value that differs from one use of a template to the next. However often it occurs, the value is bound once. */
class Slot extends Sql {
  /** Index of the value. */
  readonly index: number

  constructor(index: number) {
    super([''], [])
    this.index = index
  }

  protected override write(builder: StatementBuilder): void {
    builder.addRepeated(this)
  }
}

/** Builds a template's text as the pieces between its values. */
class PieceBuilder extends StatementBuilder {
  /** One more than there are places. */
  readonly pieces: string[] = []
  /** Slots, and values that are always the same. */
  readonly places: unknown[] = []
  #piece = ''

  override addText(text: string): void {
    this.#piece += text
  }

  override addValue(value: unknown): number {
    this.#end()
    return this.places.push(value)
  }

  override addPlaceholder(number: number): void {
    this.addValue(this.places[number - 1])
  }

  override addRepeated(value: unknown): void {
    this.addValue(value)
  }

  override completed(): this {
    this.#end()
    return this
  }

  #end(): void {
    this.pieces.push(this.#piece)
    this.#piece = ''
  }
}

/** The forms of a template, each built once. */
class Template {
  /** Number of values. */
  readonly count: number
  readonly fragment: Sql
  #pieces: PieceBuilder | undefined

  constructor(count: number, build: (values: readonly Sql[]) => Sql) {
    this.count = count
    this.fragment = sql`${build(Array.from({ length: count }, (_, index) => new Slot(index)))}`
  }

  get pieces(): PieceBuilder {
    if (!this.#pieces) {
      const builder = new PieceBuilder()
      this.fragment.appendTo(builder)
      this.#pieces = builder.completed()
    }
    return this.#pieces
  }
}

class FilledTemplate extends Sql {
  readonly template: Template
  readonly templateValues: readonly unknown[]
  #filled: Statement | undefined

  constructor(template: Template, values: readonly unknown[]) {
    super(['', ''], [template.fragment])
    this.template = template
    this.templateValues = values
  }

  override get statement(): Statement {
    this.#filled ??= fill(this.template.fragment.statement, this.templateValues)
    return this.#filled
  }

  /** As a part of another statement, whose placeholders have other numbers. */
  override appendTo(builder: StatementBuilder): void {
    const template = this.template.pieces
    const { pieces, places } = template
    const numbers: (number | undefined)[] = []
    builder.addProperties(template)
    builder.addText(pieces[0] ?? '')
    for (const [index, place] of places.entries()) {
      const number = place instanceof Slot ? numbers[place.index] : undefined
      if (number !== undefined) builder.addPlaceholder(number)
      else if (place instanceof Slot)
        numbers[place.index] = builder.addValue(this.templateValues[place.index])
      else builder.addValue(place)
      builder.addText(pieces[index + 1] ?? '')
    }
  }
}

const fill = (statement: Statement, values: readonly unknown[]): Statement => ({
  ...statement,
  values: statement.values.map((each) => (each instanceof Slot ? values[each.index] : each)),
})

/**
 * Statements, or parts of them, that differ in one value alone; their text is built once. `build` is called once, with the place of the
 * value: a part of the text, to be cast to its type.
 */
export function statementTemplate(build: (value: Sql) => Sql): (value: unknown) => Sql {
  const template = templateOfValues(1, ([value = empty]) => build(value))
  return (value) => template([value])
}

/** As `statementTemplate`, for several values, of which there are `count`. */
export function templateOfValues(
  count: number,
  build: (values: readonly Sql[]) => Sql,
): (values: readonly unknown[]) => Sql {
  let template: Template | undefined
  return (values) => {
    template ??= new Template(count, build)
    return new FilledTemplate(template, values)
  }
}

const constants = new WeakMap<Sql, Sql>()

/** The fragment, which lives long and whose values never change, as a part for `combine`. */
export function constantPart(fragment: Sql): Sql {
  const part = constants.get(fragment) ?? templateOfValues(0, () => fragment)([])
  constants.set(fragment, part)
  return part
}

/** The templates that one function has made of others, by the first of these, then by the second, and so on. */
class Combinations {
  readonly #next = new WeakMap<Template, Combinations>()
  template: Template | undefined

  with(template: Template): Combinations {
    let next = this.#next.get(template)
    if (!next) {
      next = new Combinations()
      this.#next.set(template, next)
    }
    return next
  }
}

const combinationsBy = new WeakMap<object, Combinations>()

/**
 * The fragment that `build` makes of the parts. Where all parts are templates with values, it is built once for these templates, and is one itself:
 * `build` must depend on the parts alone, and is the same function each time.
 */
export function combine(build: (parts: readonly Sql[]) => Sql, parts: readonly Sql[]): Sql {
  const all = combinationsBy.get(build) ?? new Combinations()
  combinationsBy.set(build, all)
  let combinations = all
  const values: unknown[] = []
  for (const part of parts) {
    if (!(part instanceof FilledTemplate)) return build(parts)
    combinations = combinations.with(part.template)
    values.push(...part.templateValues)
  }
  combinations.template ??= new Template(values.length, (places) => build(placedIn(parts, places)))
  return new FilledTemplate(combinations.template, values)
}

/** The parts with the places as their values. */
function placedIn(parts: readonly Sql[], places: readonly Sql[]): readonly Sql[] {
  let used = 0
  return parts.map((part) => {
    if (!(part instanceof FilledTemplate)) return part
    const own = places.slice(used, used + part.template.count)
    used += own.length
    return new FilledTemplate(part.template, own)
  })
}
