import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { boundedText } from '../../values/fields.ts';
import { managed, one, PROGRAM } from '../route.ts';

export const MAX_NOTE_CHARS = 2_000;
export const MAX_NOTES = 100;

const NOTES = `${PROGRAM}/partners/:partner_id/notes`;

const note = z.object({
  id: z.int(),
  text: z.string(),
  author: z.string().nullable().describe('The name of the user; null when the account is gone.'),
  created_at: z.iso.datetime(),
});
z.globalRegistry.add(note, { id: 'PartnerNote' });

export const managePartnerNotes = defineRoute({
  ...managed,
  id: 'managePartnerNotes',
  method: 'GET',
  path: NOTES,
  summary: 'List the notes about a partner',
  description: 'Newest first. Partners never see them.',
  role: 'viewer',
  reply: one(z.array(note)),
  statuses: [401, 404],
});

export const manageAddPartnerNote = defineRoute({
  ...managed,
  id: 'manageAddPartnerNote',
  proof: { none: 'It can be undone.' },
  method: 'POST',
  path: NOTES,
  summary: 'Add a note about a partner',
  description: `Only the workspace sees it. A partner can have ${MAX_NOTES} notes in a program.`,
  role: 'member',
  success: 201,
  body: z.object({
    text: boundedText('text', MAX_NOTE_CHARS).trim().min(1, { error: 'text must not be empty' }),
  }),
  reply: one(note),
  statuses: [400, 401, 404, 409],
});

export const manageDeletePartnerNote = defineRoute({
  ...managed,
  id: 'manageDeletePartnerNote',
  proof: { none: 'Notes decide nothing.' },
  method: 'DELETE',
  path: `${NOTES}/:note_id`,
  summary: 'Delete a note about a partner',
  description: 'Any member of the workspace can.',
  role: 'member',
  reply: one(z.object({})),
  statuses: [401, 404],
});
