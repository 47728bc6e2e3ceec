import { errors, type GroupTier, MAX_GROUPS } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import type { Program } from '../../programs/program.ts';
import { findProgramForUpdate } from '../../programs/program-store.ts';
import {
  deleteGroup,
  findGroup,
  findRuleForGroup,
  type Group,
  hasCreatives,
  insertGroup,
  listGroups,
  lockGroup,
  type NewGroup,
  updateGroup,
} from './group-store.ts';

type Owner = Pick<Program, 'id' | 'workspaceId'>;

/** Creates a group. Groups of a program are changed one at a time. */
export function createGroup(ctx: Context, program: Owner, group: NewGroup, actor: Actor): Promise<Group> {
  return ctx.db.transaction(async (tx) => {
    const others = await lockGroups(tx, program);
    if (others.length >= MAX_GROUPS) throw errors.tooManyGroups(MAX_GROUPS);
    checkGroup(group, others);
    const id = await insertGroup(tx, program.id, group, ctx.now());
    const event = groupEvent(program, { id, name: group.name }, actor);
    await insertAuditEvent(tx, { ...event, action: 'group.created', after: group }, ctx.now());
    return { id, ...group, isDefault: false, partners: 0 };
  });
}

export type GroupChanges = { name?: string | undefined; tier?: GroupTier | null | undefined };

/** Renames a group, or changes its tier. */
export function changeGroup(
  ctx: Context,
  program: Owner,
  groupId: number,
  changes: GroupChanges,
  actor: Actor,
): Promise<Group> {
  return ctx.db.transaction(async (tx) => {
    const groups = await lockGroups(tx, program);
    const before = groups.find(({ id }) => id === groupId);
    if (!before) throw errors.notFound();
    const { name = before.name, tier = before.tier } = changes;
    if (before.isDefault && tier) throw errors.defaultGroupStays();
    checkGroup(
      { name, tier },
      groups.filter((group) => group !== before),
    );
    await updateGroup(tx, groupId, { name, tier });
    const event = groupEvent(program, { ...before, name }, actor);
    const [old, now] = [
      { name: before.name, tier: before.tier },
      { name, tier },
    ];
    await insertAuditEvent(tx, { ...event, action: 'group.changed', before: old, after: now }, ctx.now());
    return { ...before, name, tier };
  });
}

/** Deletes a group that nobody is in and that no terms in force name. */
export function removeGroup(ctx: Context, program: Owner, groupId: number, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    await lockGroups(tx, program);
    // A partner who is being moved into the group is waited for, and counts.
    await lockGroup(tx, program.id, groupId, 'update');
    const group = await findGroup(tx, program.id, groupId);
    if (!group) throw errors.notFound();
    if (group.isDefault) throw errors.defaultGroupStays();
    if (group.partners > 0) throw errors.groupNotEmpty(group.partners);
    const named = await findRuleForGroup(tx, program.id, groupId);
    if (named) throw errors.groupInTerms(named.rule, named.version);
    if (await hasCreatives(tx, groupId)) throw errors.groupHasCreatives();
    await deleteGroup(tx, groupId);
    const event = groupEvent(program, group, actor);
    await insertAuditEvent(tx, { ...event, action: 'group.deleted', before: { name: group.name } }, ctx.now());
  });
}

async function lockGroups(tx: Queryable, { id }: Owner): Promise<Group[]> {
  if (!(await findProgramForUpdate(tx, id))) throw errors.notFound();
  return listGroups(tx, id);
}

function checkGroup({ name, tier }: NewGroup, others: Group[]): void {
  if (others.some((group) => group.name.toLowerCase() === name.toLowerCase())) throw errors.groupNameTaken(name);
  if (!tier) return;
  for (const { name: other, tier: known } of others) {
    if (!known) continue;
    if (known.of !== tier.of || known.in !== tier.in) throw errors.tiersDiffer(known.of, known.in);
    if (known.at_least === tier.at_least) throw errors.tierTaken(other);
  }
}

function groupEvent(
  { id: programId, workspaceId }: Owner,
  { id, name }: Pick<Group, 'id' | 'name'>,
  actor: Actor,
): Omit<AuditEvent, 'action'> {
  return { workspaceId, programId, actor, subject: { type: 'group', id, name } };
}
