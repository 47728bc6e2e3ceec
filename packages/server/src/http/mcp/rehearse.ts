import type { AsyncLocalStorage } from 'node:async_hooks';
import { errors } from '@svc/contract';
import type { Db } from '../../db/db.ts';

/** A request that a tool makes inside the process. In a rehearsal, it is undone, and whether it would have succeeded is noted. */
export type ToolCall = { isRehearsal: boolean; hasSucceeded: boolean };

/** Requests of tools by the work that is done for them. No request from outside can be among them. */
export type ToolCalls = AsyncLocalStorage<ToolCall>;

/**
 * The store as routes use it. In a rehearsal, the transaction of a route does its work, is rolled back, and ends the request, so
 * that a tool learns exactly what the route would refuse.
 */
export function rehearsable(db: Db, toolCalls: ToolCalls): Db {
  const transaction: Db['transaction'] = (work) => {
    const call = toolCalls.getStore();
    if (!call?.isRehearsal) return db.transaction(work);
    return db.transaction(async (tx) => {
      await work(tx);
      call.hasSucceeded = true;
      throw errors.rehearsed();
    });
  };
  return { ...db, untimed: db.untimed, transaction };
}
