const MIB = 1024 * 1024;

/** What a creative can be, and which field holds it. */
export const CREATIVE_KINDS = { file: 'content', link: 'url', text: 'text' } as const;
export type CreativeKind = keyof typeof CREATIVE_KINDS;

export const CREATIVE_STATUSES = ['draft', 'published'] as const;

/** What a file can be: recognized by its first bytes. Formats that can contain scripts of pages are not among them. */
export const CREATIVE_FILE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf'] as const;
export type CreativeFileType = (typeof CREATIVE_FILE_TYPES)[number];

export const MAX_CREATIVES = 200;
export const MAX_CREATIVE_BYTES = 5 * MIB;
/** All files of a program together. */
export const MAX_CREATIVES_BYTES = 100 * MIB;
/** Width and height of an image. */
export const MAX_CREATIVE_PIXELS = 8_000;
export const MAX_CREATIVE_TEXT_CHARS = 5_000;
/** What texts have where the link of the partner who copies them belongs. */
export const LINK_PLACEHOLDER = '{link}';
