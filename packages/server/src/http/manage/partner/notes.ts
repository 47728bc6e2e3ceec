import {
  errors,
  MAX_NOTES,
  manageAddPartnerNote,
  manageDeletePartnerNote,
  managePartnerNotes,
  type ReplyRow,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addNote } from '../../../partners/notes/add-note.ts';
import { deleteNote, listNotes, type Note } from '../../../partners/notes/note-store.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';
import { partnerOf } from './partner-of.ts';

export function addManagePartnerNoteRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, managePartnerNotes, async ({ program }, request) => {
    const { id: partnerId } = await partnerOf(ctx, program, request);
    const notes = await listNotes(ctx.db, { programId: program.id, partnerId }, MAX_NOTES);
    return { data: notes.map(toReply) };
  });

  addProgramRoute(app, ctx, manageAddPartnerNote, async ({ program, userId }, request) => {
    const { id: partnerId } = await partnerOf(ctx, program, request);
    const { text } = bodyOf(manageAddPartnerNote, request);
    return { data: toReply(await addNote(ctx, { programId: program.id, partnerId, text }, userId)) };
  });

  addProgramRoute(app, ctx, manageDeletePartnerNote, async ({ program }, request) => {
    const { id: partnerId } = await partnerOf(ctx, program, request);
    const note = { programId: program.id, partnerId };
    if (!(await deleteNote(ctx.db, note, idParam(request, 'note_id')))) throw errors.notFound();
    return { data: {} };
  });
}

function toReply({ id, text, author, createdAt }: Note): ReplyRow<typeof managePartnerNotes> {
  return { id, text, author, created_at: createdAt.toISOString() };
}
