import { fsyncSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/**
 * The directory as PGlite's file system, with the one call that its own version leaves out: fsync.
 * Without it a commit would be in the operating system's memory only.
 */
export class DurableFiles extends NodeFS {
  override async init(
    ...[engine, options]: Parameters<NodeFS['init']>
  ): ReturnType<NodeFS['init']> {
    const made = await super.init(engine, options)
    const preRun = [...(made.emscriptenOpts.preRun ?? [])]
    preRun.push(({ NODEFS }) => {
      const files: unknown = NODEFS
      if (hasStreams(files)) files.stream_ops.fsync = ({ nfd }) => flush(nfd)
    })
    return { emscriptenOpts: { ...made.emscriptenOpts, preRun } }
  }
}

/** The part of Emscripten's file systems that its types leave out. */
interface Streams {
  stream_ops: { fsync?: (stream: { nfd: number }) => number }
}

const hasStreams = (files: unknown): files is Streams =>
  typeof files === 'object' && files !== null && 'stream_ops' in files

function flush(descriptor: number): number {
  fsyncSync(descriptor)
  return 0
}
