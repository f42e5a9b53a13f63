/** Beginnings that are cached at most, of some 150 bytes each. */
const MOST_CACHED = 50_000

let cached = 0

/**
 * A beginning of the texts of statements. The program builds the same texts again and again from the same pieces: a piece leads to the
 * beginning that it led to before, so a text that has been built before is neither joined nor hashed again, and is the same string.
 */
export class TextBeginning {
  readonly #before: TextBeginning | undefined
  readonly #piece: string
  #text: string | undefined
  /** The piece that was added last, mostly the only one. */
  #lastPiece: string | undefined
  #last: TextBeginning | undefined
  #others: Map<string, TextBeginning> | undefined

  constructor(before?: TextBeginning, piece = '') {
    this.#before = before
    this.#piece = piece
  }

  /** The beginning that goes on with the piece. */
  with(piece: string): TextBeginning {
    if (this.#last !== undefined && piece === this.#lastPiece) return this.#last
    if (piece === '') return this
    const next = this.#others?.get(piece) ?? this.#add(piece)
    this.#lastPiece = piece
    this.#last = next
    return next
  }

  get text(): string {
    this.#text ??= this.#joined()
    return this.#text
  }

  #add(piece: string): TextBeginning {
    const added = new TextBeginning(this, piece)
    if (this.#last !== undefined && this.#lastPiece !== undefined) {
      this.#others ??= new Map([[this.#lastPiece, this.#last]])
      this.#others.set(piece, added)
    }
    cached += 1
    return added
  }

  #joined(): string {
    const pieces: string[] = []
    for (let each: TextBeginning | undefined = this; each; each = each.#before) {
      pieces.push(each.#piece)
    }
    return pieces.reverse().join('')
  }
}

let nothing = new TextBeginning()

/** Where all texts begin. */
export function beginningOfText(): TextBeginning {
  // Texts that are built once, such as those of large batches, must not stay for ever.
  if (cached > MOST_CACHED) {
    nothing = new TextBeginning()
    cached = 0
  }
  return nothing
}
