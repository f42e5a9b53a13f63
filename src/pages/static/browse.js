// What plain pages cannot do: searches for related objects, and requests other than GET. It sends what
// any client of the API would send, with the token that a session's changes need.
import { prepareChoices } from './choices.js'
import { prepareObjects } from './object-search.js'
import { prepareForm } from './request-form.js'

for (const box of document.querySelectorAll('.objects')) prepareObjects(box)
for (const details of document.querySelectorAll('.choices')) prepareChoices(details)
for (const form of document.querySelectorAll('form.request, form.raw')) prepareForm(form)

// The slash leads to the search, as on many sites; never while somebody types.
document.addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, select')
  const search = document.querySelector('[data-shortcut="/"]')
  if (event.key !== '/' || isTyping || !search || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  search.focus()
})
