/** Form field with the CSRF token; its name is Django's. */
export const CSRF_FIELD = 'csrfmiddlewaretoken'
