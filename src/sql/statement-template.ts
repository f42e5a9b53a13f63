import { Sql, sql } from './fragment.ts'
import { type Statement, StatementBuilder } from './statement.ts'

/** The value that differs from one use of a template to the next. However often it occurs, it is bound once. */
class Slot extends Sql {
  constructor() {
    super([''], [])
  }

  protected override write(builder: StatementBuilder): void {
    builder.addRepeated(this)
  }
}

/** Builds a template's text as the pieces between its values. */
class PieceBuilder extends StatementBuilder {
  /** One more than there are places. */
  readonly pieces: string[] = []
  /** Values, of which some may be the slot. */
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

/** A template with the place of its value, and its forms, each built once. */
class Template {
  readonly slot = new Slot()
  readonly fragment: Sql
  #pieces: PieceBuilder | undefined

  constructor(build: (value: Sql) => Sql) {
    this.fragment = sql`${build(this.slot)}`
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
  readonly #value: unknown
  #filled: Statement | undefined

  constructor(template: Template, value: unknown) {
    super(['', ''], [template.fragment])
    this.#template = template
    this.#value = value
  }

  override get statement(): Statement {
    const { fragment, slot } = this.#template
    this.#filled ??= fill(fragment.statement, slot, this.#value)
    return this.#filled
  }

  /** As a part of another statement, whose placeholders have other numbers. */
  override appendTo(builder: StatementBuilder): void {
    const { slot, pieces: template } = this.#template
    const { pieces, places } = template
    let number: number | undefined
    builder.addProperties(template)
    builder.addText(pieces[0] ?? '')
    for (const [index, place] of places.entries()) {
      if (place !== slot) builder.addValue(place)
      else if (number === undefined) number = builder.addValue(this.#value)
      else builder.addPlaceholder(number)
      builder.addText(pieces[index + 1] ?? '')
    }
  }
}

const fill = (statement: Statement, slot: Slot, value: unknown): Statement => ({
  ...statement,
  values: statement.values.map((each) => (each === slot ? value : each)),
})

/**
 * Statements, or parts of them, that differ in one value alone; their text is built once. `build` is called once, with the place of the
 * value: a part of the text, to be cast to its type.
 */
export function statementTemplate(build: (value: Sql) => Sql): (value: unknown) => Sql {
  let template: Template | undefined
  return (value) => {
    template ??= new Template(build)
    return new FilledTemplate(template, value)
  }
}
