/**
 * The command as people type it: the name of the script that ran it (deploy/cadastre), or else in a checkout, whose program is
 * TypeScript, or with the installed package.
 */
export const COMMAND =
  process.env.CADASTRE_COMMAND ?? (import.meta.filename.endsWith('.ts') ? 'npm run cadastre --' : 'npx cadastre')
