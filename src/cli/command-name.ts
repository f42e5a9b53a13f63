/** The command as people type it: in a checkout, whose program is TypeScript, or with the installed package. */
export const COMMAND = import.meta.filename.endsWith('.ts') ? 'npm run cadastre --' : 'npx cadastre'
