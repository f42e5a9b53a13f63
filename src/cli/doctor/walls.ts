import { kernelWalls, missingWalls } from '../../automation/confinement/walls.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Checks what the kernel confines scripts and templates by. */
export async function checkWalls(): Promise<Finding> {
  const walls = await kernelWalls()
  const missing = missingWalls(walls)
  if (missing === undefined) {
    return ok(
      'scripts',
      `The kernel confines scripts and templates by seccomp and version ${walls.landlock} of Landlock.`,
    )
  }
  const advice =
    'Let only people whom you trust write scripts and templates, or use Linux 6.12 or later on x86-64 or arm64.'
  return warning('scripts', missing, advice)
}
