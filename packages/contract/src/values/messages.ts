/** How long a message to partners can be, and how many a program can send. */
export const MAX_MESSAGE_CHARS = 5_000;
export const MAX_SUBJECT_CHARS = 150;
/** In a day, in UTC: partners who hear from a brand all the time unsubscribe. */
export const MESSAGES_PER_DAY = 3;
/** To one address in a day, from all brands together. */
export const MESSAGES_PER_ADDRESS = 5;
export const TEST_MESSAGES_PER_DAY = 20;

/** What stands for the partner in a text. */
export const MESSAGE_PLACEHOLDERS = { '{name}': 'the partner’s name', '{link}': 'the partner’s link' } as const;

/** What became of a message for a partner. */
export const MESSAGE_OUTCOMES = {
  queued: 'Sent, or about to be',
  no_account: 'The partner has not joined yet',
  unconfirmed: 'The partner has not confirmed the email address',
  unsubscribed: 'The partner has switched off messages from brands',
  no_link: 'The text has {link}, and the partner has no active link',
  applied: 'The partner is not active',
  blocked: 'The partner is not active',
  removed: 'The partner is not active',
  not_found: 'The partner is no longer there',
  recipient_limit: 'The address has had as many messages as it may get in a day',
  queue_full: 'Too many mails are waiting to be sent',
  sender_unconfirmed: 'The sender’s own email address is not confirmed',
} as const;
export type MessageOutcome = keyof typeof MESSAGE_OUTCOMES;
