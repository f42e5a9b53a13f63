import { translated } from '../components/translated.client.ts'

// All tabs of a browser show the branch that was chosen last, in any of them. A tab says so when its pages change to
// another branch that was not chosen there.

const BRANCH = 'cadastre:branch'

const chosen = document.querySelector<HTMLButtonElement>('.branch-menu [aria-current]')
if (chosen) {
  const before = sessionStorage.getItem(BRANCH)
  sessionStorage.setItem(BRANCH, chosen.value)
  if (before !== null && before !== chosen.value && !isExplained()) say(chosen.textContent?.trim() ?? '')
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[action$="/user/branch/"]')) {
  form.addEventListener('submit', () => sessionStorage.removeItem(BRANCH))
}

/** The page says itself that the branch is closed, or an address in this tab has named the branch. */
function isExplained(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  const isRedirected = navigation instanceof PerformanceNavigationTiming && navigation.redirectCount > 0
  return isRedirected || document.querySelector('[data-branch-closed]') !== null
}

function say(name: string): void {
  const notice = Object.assign(document.createElement('p'), {
    className: 'notice warn',
    textContent: translated('You have switched to {name} in another tab.', { name }),
  })
  notice.setAttribute('role', 'status')
  document.querySelector('#content')?.prepend(notice)
}
