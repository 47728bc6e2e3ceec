/** Why an invitation was not mailed. */
export const MAIL_REFUSALS = {
  mail_off: 'The installation sends no mail.',
  sender_unconfirmed: 'You have not confirmed your own email address.',
  workspace_limit: 'The workspace has sent as many invitations as it may in a day.',
  recipient_limit: 'The address has had as many invitations as it may get in a day.',
  queue_full: 'Too many mails are waiting to be sent.',
} as const;

export type MailRefusal = keyof typeof MAIL_REFUSALS;
