import { Writable } from 'node:stream'

/** A log that keeps its lines, for `startApi`. */
export class LogLines extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }

  /** Lines of the audit, oldest first. */
  get audited(): readonly Readonly<Record<string, unknown>>[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'audit')
  }
}
