// Features that need a script: searches for related objects, and requests other than GET. It sends ordinary API
// requests, with the CSRF token that changes within a session need.
import { prepareChoices } from './choices.js'
import { prepareObjects } from './object-search.js'
import { prepareForm } from './request-form.js'

for (const box of document.querySelectorAll('.objects')) prepareObjects(box)
for (const details of document.querySelectorAll('.choices')) prepareChoices(details)
for (const form of document.querySelectorAll('form.request, form.raw')) prepareForm(form)
