/** The mails that begin with a paragraph of the brand’s own, if it has written one. */
export const OPENED_MAILS = ['invitation', 'welcome'] as const;
export type OpenedMail = (typeof OPENED_MAILS)[number];
export const MAX_OPENING_CHARS = 1_000;
