import {
  MAX_NOTES,
  manageAddPartnerNote,
  manageDeletePartnerNote,
  managePartnerNotes,
  type ReplyRow,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addNote, removeNote } from '../../../partners/notes/add-note.ts';
import { listNotes, type Note } from '../../../partners/notes/note-store.ts';
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

  addProgramRoute(app, ctx, manageAddPartnerNote, async ({ program, userId, actor }, request) => {
    const { id: partnerId, name } = await partnerOf(ctx, program, request);
    const { text } = bodyOf(manageAddPartnerNote, request);
    const about = { workspaceId: program.workspaceId, name, actor };
    return { data: toReply(await addNote(ctx, { programId: program.id, partnerId, text }, about, userId)) };
  });

  addProgramRoute(app, ctx, manageDeletePartnerNote, async ({ program, actor }, request) => {
    const { id: partnerId, name } = await partnerOf(ctx, program, request);
    const about = { workspaceId: program.workspaceId, name, actor };
    await removeNote(ctx, { programId: program.id, partnerId }, idParam(request, 'note_id'), about);
    return { data: {} };
  });
}

function toReply({ id, text, author, createdAt }: Note): ReplyRow<typeof managePartnerNotes> {
  return { id, text, author, created_at: createdAt.toISOString() };
}
