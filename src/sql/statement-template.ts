import { Sql, sql } from './fragment.ts'
import { placeholder, type Statement, type StatementBuilder } from './statement.ts'

/** The value that differs from one use of a template to the next. However often it occurs, it is bound once. */
class Slot extends Sql {
  constructor() {
    super([''], [])
  }

  protected override write(builder: StatementBuilder): void {
    const known = builder.values.indexOf(this)
    if (known < 0) builder.addValue(this)
    else builder.addText(placeholder(known + 1))
  }
}

class FilledTemplate extends Sql {
  readonly #template: Sql
  readonly #slot: Slot
  readonly #value: unknown
  #filled: Statement | undefined

  constructor(template: Sql, slot: Slot, value: unknown) {
    super(['', ''], [template])
    this.#template = template
    this.#slot = slot
    this.#value = value
  }

  override get statement(): Statement {
    this.#filled ??= fill(this.#template.statement, this.#slot, this.#value)
    return this.#filled
  }

  /** As a part of another statement, whose placeholders have other numbers. */
  override appendTo(builder: StatementBuilder): void {
    const first = builder.values.length
    super.write(builder)
    for (let index = first; index < builder.values.length; index++) {
      if (builder.values[index] === this.#slot) builder.values[index] = this.#value
    }
  }
}

const fill = (statement: Statement, slot: Slot, value: unknown): Statement => ({
  ...statement,
  values: statement.values.map((each) => (each === slot ? value : each)),
})

/**
 * Statements that differ in one value alone; their text is built once. `build` is called once, with the place of the value: a part of
 * the text, to be cast to its type.
 */
export function statementTemplate(build: (value: Sql) => Sql): (value: unknown) => Sql {
  const slot = new Slot()
  let template: Sql | undefined
  return (value) => {
    template ??= sql`${build(slot)}`
    return new FilledTemplate(template, slot, value)
  }
}
