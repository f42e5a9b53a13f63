import { translated } from '../components/translated.client.ts'
import type { Suggestion } from './suggest.client.ts'

// What the search box can do besides opening pages: each command presses a button of the page, which may be in a menu.

const USED = 'cadastre:commands'
const MOST_USED = 4

/** The commands of the page at this moment. */
export const commands = (): readonly Suggestion[] => [...selectionCommands(), ...menuCommands()]

/** The commands that were used last, the latest first, as far as the page has them. */
export function usedCommands(): readonly Suggestion[] {
  const all = commands()
  return readUsed().flatMap((name) => all.find(({ href }) => href === name) ?? [])
}

/** Theme, row height, branch and logout: the forms of the menus in the header. */
function menuCommands(): readonly Suggestion[] {
  const buttons = document.querySelectorAll<HTMLButtonElement>(':is(.user-menu, .branch-menu) form button')
  return [...buttons]
    .filter((button) => !button.matches('[aria-pressed="true"], [aria-current]'))
    .map((button) => command(labelOf(button), button))
}

function labelOf(button: HTMLButtonElement): string {
  const text = button.textContent.trim()
  const group = button.form?.querySelector('.muted')?.textContent.trim()
  if (group) return `${group}: ${text}`
  if (!button.closest('.branch-menu')) return text
  return button.value === '' ? translated('Back to main') : translated('Switch to branch {name}', { name: text })
}

/** The actions on the selected rows of a list. */
function selectionCommands(): readonly Suggestion[] {
  const count = document.querySelectorAll('.in-list tbody .select input:checked').length
  if (count === 0) return []
  const buttons = document.querySelectorAll<HTMLButtonElement>('form.selection button[formaction]')
  return [...buttons].map((button) =>
    command(
      translated('{action}: {count} selected', { action: button.textContent.trim(), count: String(count) }),
      button,
      button.textContent.trim(),
    ),
  )
}

/** `name`: by which the command is remembered. */
function command(label: string, button: HTMLButtonElement, name = label): Suggestion {
  const href = `command:${name}`
  const run = (): void => {
    localStorage.setItem(
      USED,
      JSON.stringify([href, ...readUsed().filter((item) => item !== href)].slice(0, MOST_USED)),
    )
    button.form?.requestSubmit(button)
  }
  return { label, detail: translated('Command'), href, icon: 'more', run }
}

function readUsed(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(USED) ?? '[]')
  } catch {
    return []
  }
}
