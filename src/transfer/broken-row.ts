/** A row of a data set that cannot be imported. The message says which, and what is wrong with it. */
export class BrokenRow extends Error {
  override readonly name = 'BrokenRow'
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly reason: string

  constructor(file: string, line: number, reason: string) {
    super(`${file}, line ${line}: ${reason}`)
    this.file = file
    this.line = line
    this.reason = reason
  }
}

/** What is wrong with a value, before it is known where the value stands. */
export class WrongValue extends Error {
  override readonly name = 'WrongValue'
}
