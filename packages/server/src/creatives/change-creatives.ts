import { type CreativeRow, errors, MAX_CREATIVE_PIXELS, MAX_CREATIVES, MAX_CREATIVES_BYTES } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { changedFields } from '../audit/changed-fields.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { lockGroup } from '../partners/groups/group-store.ts';
import type { Program } from '../programs/program.ts';
import { findProgramForUpdate } from '../programs/program-store.ts';
import { type CreativeFile, creativeFileIn } from './creative-file.ts';
import {
  type CreativeState,
  countCreatives,
  deleteCreative,
  findCreative,
  findCreativeForUpdate,
  insertCreative,
  listCreatives,
  type NewCreative,
  updateCreative,
  updateOrder,
} from './creative-store.ts';

type Owner = Pick<Program, 'id' | 'workspaceId'>;
export type SentFile = { name: string; contentBase64: string };

/** Adds a creative behind the others. Those of a program are added one at a time, so that they stay within its space. */
export function addCreative(
  ctx: Context,
  program: Owner,
  { file: sent, ...creative }: Omit<NewCreative, 'file'> & { file: SentFile | null },
  actor: Actor,
): Promise<CreativeRow> {
  const file = sent && requireFile(sent);
  return ctx.db.transaction(async (tx) => {
    if (!(await findProgramForUpdate(tx, program.id))) throw errors.notFound();
    await requireGroup(tx, program, creative.groupId);
    const { count, bytes, last } = await countCreatives(tx, program.id);
    if (count >= MAX_CREATIVES) throw errors.tooManyCreatives(MAX_CREATIVES);
    const left = MAX_CREATIVES_BYTES - bytes;
    if (file && file.sizeBytes > left) throw errors.creativesTooLarge(MAX_CREATIVES_BYTES, left);
    const id = await insertCreative(tx, program.id, { ...creative, file }, { position: last + 1, now: ctx.now() });
    const { kind, status, groupId: group_id } = creative;
    const after = { kind, status, group_id, ...(file && { file_name: file.name, size_bytes: file.sizeBytes }) };
    const event = { ...about(program, { id, title: creative.title }, actor), action: 'creative.added', after } as const;
    await insertAuditEvent(tx, event, ctx.now());
    return (await findCreative(tx, program.id, id))!;
  });
}

/** A small file can hold an image that takes gigabytes of memory to show. */
function requireFile({ name, contentBase64 }: SentFile): CreativeFile {
  const file = creativeFileIn(name, contentBase64);
  if (!file) throw errors.creativeFileUnknown();
  const { width, height } = file;
  if (width !== null && height !== null && Math.max(width, height) > MAX_CREATIVE_PIXELS) {
    throw errors.creativeImageTooLarge(width, height, MAX_CREATIVE_PIXELS);
  }
  return file;
}

/** A group that is deleted at the same time is waited for. */
async function requireGroup(tx: Queryable, { id }: Owner, groupId: number | null): Promise<void> {
  if (groupId !== null && !(await lockGroup(tx, id, groupId, 'key share'))) throw errors.groupUnknown();
}

export type CreativeChanges = { [Name in keyof CreativeState]?: CreativeState[Name] | undefined };

/** Changes what is given. Links have an address and texts a text, and nothing else has them. */
export function changeCreative(
  ctx: Context,
  program: Owner,
  creativeId: number,
  changes: CreativeChanges,
  actor: Actor,
): Promise<CreativeRow> {
  return ctx.db.transaction(async (tx) => {
    const before = await findCreativeForUpdate(tx, program.id, creativeId);
    if (!before) throw errors.notFound();
    for (const name of ['url', 'text'] as const) {
      const kind = name === 'url' ? 'link' : 'text';
      if (changes[name] !== undefined && before.kind !== kind) throw errors.creativeFieldForeign(name, before.kind);
    }
    const { title = before.title, status = before.status, groupId = before.group_id } = changes;
    const { url = before.url, text = before.text } = changes;
    if (groupId !== before.group_id) await requireGroup(tx, program, groupId);
    const now = { title, status, groupId, url, text };
    await updateCreative(tx, creativeId, now);
    const changed = changedFields({ ...before, groupId: before.group_id } as CreativeState, now);
    if (changed) {
      const event = { ...about(program, { id: creativeId, title }, actor), action: 'creative.changed' } as const;
      await insertAuditEvent(tx, { ...event, ...changed }, ctx.now());
    }
    return (await findCreative(tx, program.id, creativeId))!;
  });
}

/** Deletes a creative with its file. */
export function removeCreative(ctx: Context, program: Owner, creativeId: number, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const title = await deleteCreative(tx, program.id, creativeId);
    if (title === null) throw errors.notFound();
    const event = { ...about(program, { id: creativeId, title }, actor), action: 'creative.deleted' } as const;
    await insertAuditEvent(tx, event, ctx.now());
  });
}

/** Puts all creatives of the program in another order. */
export function orderCreatives(ctx: Context, program: Owner, ids: number[], actor: Actor): Promise<CreativeRow[]> {
  return ctx.db.transaction(async (tx) => {
    const found = await findProgramForUpdate(tx, program.id);
    if (!found) throw errors.notFound();
    const before = (await listCreatives(tx, program.id)).map(({ id }) => id);
    const sent = new Set(ids);
    if (before.length !== ids.length || !before.every((id) => sent.has(id))) throw errors.creativesChanged();
    if (before.some((id, index) => id !== ids[index])) {
      await updateOrder(tx, program.id, ids);
      const subject = { type: 'program', id: program.id, name: found.name } as const;
      const event = { workspaceId: program.workspaceId, programId: program.id, actor, subject } as const;
      await insertAuditEvent(tx, { ...event, action: 'creative.ordered', after: { count: ids.length } }, ctx.now());
    }
    return listCreatives(tx, program.id);
  });
}

function about({ id: programId, workspaceId }: Owner, { id, title }: { id: number; title: string }, actor: Actor) {
  return { workspaceId, programId, actor, subject: { type: 'creative', id, name: title } } as const;
}
