import { spawnSync } from 'node:child_process'

const PROBE = `import sys; print(sys.executable if sys.version_info >= (3, 11) and sys.platform == 'linux' else '')`

/** An interpreter of this machine that SCRIPTS_PYTHON may name and its kernel can confine; undefined if there is none. */
export const pythonOfTest = (): string | undefined =>
  spawnSync('python3', ['-c', PROBE], { encoding: 'utf8' }).stdout?.trim() || undefined
