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
  readonly fragment: Sql
  #pieces: PieceBuilder | undefined

  constructor(count: number, build: (values: readonly Sql[]) => Sql) {
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
  readonly #template: Template
  readonly #values: readonly unknown[]
  #filled: Statement | undefined

  constructor(template: Template, values: readonly unknown[]) {
    super(['', ''], [template.fragment])
    this.#template = template
    this.#values = values
  }

  override get statement(): Statement {
    this.#filled ??= fill(this.#template.fragment.statement, this.#values)
    return this.#filled
  }

  /** As a part of another statement, whose placeholders have other numbers. */
  override appendTo(builder: StatementBuilder): void {
    const template = this.#template.pieces
    const { pieces, places } = template
    const numbers: (number | undefined)[] = []
    builder.addProperties(template)
    builder.addText(pieces[0] ?? '')
    for (const [index, place] of places.entries()) {
      const number = place instanceof Slot ? numbers[place.index] : undefined
      if (number !== undefined) builder.addPlaceholder(number)
      else if (place instanceof Slot)
        numbers[place.index] = builder.addValue(this.#values[place.index])
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
