// Features that need a script: searches for related objects, and requests other than GET. It sends ordinary API
// requests, with the CSRF token that changes within a session need.
import '../forms/choices.js'
import { prepareObjects } from '../components/object-picker.js'
import { prepareForm } from './request-form.js'

prepareObjects(document)
for (const form of document.querySelectorAll('form.request, form.raw')) prepareForm(form)
