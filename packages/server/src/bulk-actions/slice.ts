import type { BulkChange } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import type { Encryption } from '../encryption.ts';
import type { Program } from '../programs/program.ts';

export type BulkContext = Context & { encryption: Encryption };

/** Everything that a slice is worked on with. It is written in the transaction that takes it from what is left to do. */
export type Slice = {
  tx: Transaction;
  ctx: BulkContext;
  bulkActionId: number;
  program: Pick<Program, 'id' | 'workspaceId'>;
  change: BulkChange;
  actor: Actor;
};
