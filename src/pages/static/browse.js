// Features that need a script: searches for related objects, and requests other than GET. It sends ordinary API
// requests, with the CSRF token that changes within a session need.
import { prepareChoices } from './choices.js'
import { prepareObjects } from './object-search.js'
import { prepareForm } from './request-form.js'

for (const box of document.querySelectorAll('.objects')) prepareObjects(box)
for (const details of document.querySelectorAll('.choices')) prepareChoices(details)
for (const form of document.querySelectorAll('form.request, form.raw')) prepareForm(form)

// The slash key focuses the search, except while the user types in a field.
document.addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, select')
  const search = document.querySelector('[data-shortcut="/"]')
  if (event.key !== '/' || isTyping || !search || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  search.focus()
})
