export const ATTACHMENT = 'netbox_attachments.netboxattachment'
export const ASSIGNMENT = 'netbox_attachments.netboxattachmentassignment'
