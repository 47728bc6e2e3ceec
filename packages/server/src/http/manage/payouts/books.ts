import { Readable } from 'node:stream';
import { manageBooks, manageExportBeancount, manageExportJournal } from '@svc/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type BookEntry, findBooks, listBookEntries, listBookTotals } from '../../../books/book-store.ts';
import { accountsOf } from '../../../books/journal.ts';
import { writeBeancount } from '../../../books/write-beancount.ts';
import { writeJournal } from '../../../books/write-journal.ts';
import type { Queryable } from '../../../db/db.ts';
import { toSum } from '../../../db/lists/sum.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';

const BATCH = 1_000;

export function addManageBookRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageBooks, async ({ program }, request) => {
    const { partner_id: partnerId = null } = queryOf(manageBooks, request);
    const [books, totals] = await Promise.all([
      findBooks(ctx.db, program.id),
      listBookTotals(ctx.db, program.id, partnerId),
    ]);
    const accounts = totals.flatMap(({ currency, ...sums }) =>
      accountsOf(sums).map(({ account, cents }) => ({ account, currency, balance_cents: toSum(cents) })),
    );
    const lastProof = books?.provedAt && {
      at: books.provedAt.toISOString(),
      agrees: books.differences?.length === 0,
      differences: books.differences ?? [],
    };
    // A program that was created with books has a row only after its first comparison.
    const openedAt = books ? books.openedAt : program.createdAt;
    return {
      data: { opened_at: openedAt?.toISOString() ?? null, accounts, last_proof: lastProof ?? null },
    };
  });

  addProgramRoute(app, ctx, manageExportBeancount, async ({ program }, _request, reply) => {
    const entries = await entriesOf(ctx.db, program.id);
    return sendFile(reply, `${program.slug}-books.beancount`, writeBeancount(entries, program.createdAt));
  });

  addProgramRoute(app, ctx, manageExportJournal, async ({ program }, _request, reply) => {
    const entries = await entriesOf(ctx.db, program.id);
    return sendFile(reply, `${program.slug}-books.journal`, writeJournal(entries));
  });
}

/** All entries in batches. The first ones are read before anything is sent, so that a failure can still become an error response. */
async function entriesOf(db: Queryable, programId: number): Promise<AsyncIterable<BookEntry[]>> {
  const first = await listBookEntries(db, programId, 0, BATCH);
  async function* batches() {
    for (let batch = first; batch.length > 0; ) {
      yield batch;
      batch = batch.length < BATCH ? [] : await listBookEntries(db, programId, batch.at(-1)!.id, BATCH);
    }
  }
  return batches();
}

function sendFile(reply: FastifyReply, name: string, text: AsyncGenerator<string>): Readable {
  reply.header('Content-Type', 'text/plain; charset=utf-8');
  reply.header('Content-Disposition', `attachment; filename="${name}"`);
  reply.header('Cache-Control', 'no-store');
  return Readable.from(text);
}
