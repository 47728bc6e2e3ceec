import { refuse, ServiceError } from './service-error.ts';

const MIB = 1024 * 1024;
const inMib = (bytes: number) => `${Math.floor((bytes / MIB) * 10) / 10} MiB`;

/** What can go wrong with files, links and texts for partners. */
export const creativeErrors = {
  tooManyCreatives: (max: number) =>
    new ServiceError(409, `The program has ${max} creatives, which is the most. Delete one first.`),
  creativeFileUnknown: refuse(
    400,
    'content must be a PNG, JPEG, WebP, GIF or PDF file in base64. What counts is what the file is, not its name.',
    'content',
  ),
  creativeImageTooLarge: (width: number, height: number, max: number) =>
    new ServiceError(
      400,
      `content must be at most ${max} × ${max} pixels, and is ${width} × ${height}. Scale it down and upload it again.`,
      { at: { field: 'content' } },
    ),
  creativesTooLarge: (maxBytes: number, leftBytes: number) =>
    new ServiceError(
      413,
      `The files of a program can have ${inMib(maxBytes)} in all, and ${inMib(Math.max(0, leftBytes))} are left. Delete others first.`,
      { at: { field: 'content' } },
    ),
  creativeFieldForeign: (field: string, kind: string) =>
    new ServiceError(400, `${field} does not belong to a ${kind}`, { at: { field } }),
  creativesChanged: refuse(409, 'Creatives were added or deleted in the meantime. Read them again, then order them.'),
};
