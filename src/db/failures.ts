import { ApiError } from '../base/errors.ts'

/** The database refused data that breaks a declared constraint. `code` is the SQLSTATE, of class 23. */
export class ConstraintViolation extends Error {
  override readonly name = 'ConstraintViolation'
  readonly code: string
  readonly constraint: string | undefined
  readonly table: string | undefined
  /** Set for 23502 (not null), which names a column instead of a constraint. */
  readonly column: string | undefined
  /** The server's own message, which contains values: for the log. */
  readonly detail: string | undefined

  constructor(error: ServerError) {
    super(error.message, { cause: error })
    this.code = error.code
    this.constraint = error.constraint
    this.table = error.table
    this.column = error.column
    this.detail = error.detail
  }
}

/** A statement that the database could not carry out, with its text (values left out) for the log. */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed'
  /** SQLSTATE: 22… is data that does not fit, 40… a conflict, 42… an error in the program, 57014 a timeout. */
  readonly code: string
  readonly statement: string

  constructor(error: ServerError, statement: string) {
    super(`${error.message} (${error.code})`, { cause: error })
    this.code = error.code
    this.statement = statement
  }
}

/** SQLSTATEs of a statement that does not fit the tables any more. */
const OUTDATED: ReadonlySet<string> = new Set(['0A000', '42703', '42P01', '42804'])

/** Whether a statement failed because the tables have changed since it was built or prepared. */
export const isOutdated = (error: unknown): boolean => error instanceof StatementFailed && OUTDATED.has(error.code)

/** The problem with the values of a request, if a statement failed with this SQLSTATE because of them. */
export function problemOfValues(code: string): string | undefined {
  // statement_too_complex
  if (code === '54001') return 'The request is nested too deeply.'
  // program_limit_exceeded
  if (code === '54000') return 'The request needs more values than the database takes at once.'
  // character_not_in_repertoire, untranslatable_character: JavaScript texts cannot contain anything else that UTF-8
  // lacks.
  if (code === '22021' || code === '22P05') return 'Texts may not contain the character NUL.'
  if (code === '2201B') return 'This is not a valid regular expression.'
  return code.startsWith('22') ? 'A value in the request does not fit its field.' : undefined
}

/** The part of the driver's errors that the program uses. */
interface ServerError extends Error {
  readonly code: string
  readonly constraint?: string | undefined
  readonly table?: string | undefined
  readonly column?: string | undefined
  readonly detail?: string | undefined
}

// 08: connection lost. 57P01 to 57P03: the server stops or starts. 53300: no connection is free.
const UNAVAILABLE = /^(08...|57P0[123]|53300)$/
/**
 * PostgreSQL's read_only_sql_transaction. The connections of a server that has become a standby are useless for writes.
 */
const READ_ONLY = '25006'
const SQLSTATE = /^[0-9A-Z]{5}$/

/** The program's own error for an error of the driver. */
export function translateFailure(error: unknown, statement: string): unknown {
  if (isServerError(error)) {
    if (UNAVAILABLE.test(error.code)) return databaseUnavailable(error)
    if (error.code === READ_ONLY) return databaseUnavailable(error, STANDBY)
    if (error.code.startsWith('23')) return new ConstraintViolation(error)
    return new StatementFailed(error, statement)
  }
  return isConnectionLoss(error) ? databaseUnavailable(error) : error
}

/** PostgreSQL's in_failed_sql_transaction. */
const FAILED_BEFORE = '25P02'

/** An error as the server itself would send it. */
const serverError = (code: string, message: string): ServerError =>
  Object.assign(new Error(message), { code, severity: 'ERROR' })

/** Error of a statement that was skipped because one before it failed; the code is the server's own. */
export const skipped = (): ServerError => serverError(FAILED_BEFORE, 'A statement before it has failed')

/** Values of one statement: the protocol counts them in 16 bits, and would send the rest of a larger number. */
const MOST_VALUES = 65_535

/** Error of a statement that has more values than the protocol can count. */
export const tooManyValues = (values: readonly unknown[]): ServerError | undefined =>
  values.length > MOST_VALUES ? serverError('54000', `A statement has ${values.length} values`) : undefined

/** Whether a failure only follows from an earlier one. */
export const isSkipped = (failure: unknown): boolean =>
  failure instanceof StatementFailed && failure.code === FAILED_BEFORE

/** Why a standby refuses a write. */
export const STANDBY = 'The database is a standby: it accepts no changes until it is promoted.'

const UNREACHABLE = 'The database cannot be reached at the moment. Please try again.'

/**
 * The refusal that a client gets while the database cannot be reached, or cannot be used for the reason in `detail`.
 */
export function databaseUnavailable(cause: unknown, detail = UNREACHABLE): ApiError {
  const error = new ApiError({ kind: 'unavailable', detail })
  error.cause = cause
  return error
}

/** Whether the server has responded with this error. */
export const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  // Errors of sockets have codes too (EPIPE has five letters as well), but never a severity.
  'severity' in error &&
  SQLSTATE.test(error.code)

// The pg library has no classes for these; its sentences have been the same for years.
const LOST =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Client has encountered a connection error|timeout expired/

const isConnectionLoss = (error: unknown): boolean =>
  error instanceof Error &&
  (LOST.test(error.message) ||
    // Errors of sockets and name servers: ECONNREFUSED, ECONNRESET, ENOTFOUND, ENOENT (unix socket), …
    ('syscall' in error && 'code' in error) ||
    (error instanceof AggregateError && error.errors.some(isConnectionLoss)))
