/**
 * The command as people type it: the name of the calling script (deploy/cadastre), otherwise that of a checkout, whose
 * program is TypeScript, or of the installed package.
 */
export const COMMAND =
  process.env.CADASTRE_COMMAND ?? (import.meta.filename.endsWith('.ts') ? 'npm run cadastre --' : 'npx cadastre')
