/** Form field that shows that a form comes from a page of this service; it says nothing else. */
export const CSRF_FIELD = 'csrfmiddlewaretoken'
