import type { PayoutRow } from '@svc/contract';
import { manage, type OwnedProgram } from '../accounts.ts';
import type { Answer, TestService } from '../service.ts';
import { type Sold, sold } from '../sold.ts';

/** A sale of 100.00 whose commission of 20.00 is approved. */
export async function approvedSale(service: TestService, made: OwnedProgram, fields: object = {}): Promise<Sold> {
  const sale = await sold(service, made, fields);
  await asOwner(service, made, 'POST', `/commissions/${sale.commissionId}/approve`);
  return sale;
}

export function asOwner(
  service: TestService,
  made: OwnedProgram,
  method: string,
  rest: string,
  body?: object,
): Promise<Answer> {
  return service.call(method, manage(made, rest), { key: made.owner.token, body });
}

/** Creates payouts for everything that is payable and returns them from the response. */
export async function paidOut(service: TestService, made: OwnedProgram, body: object = {}): Promise<ShownPayout[]> {
  return (await asOwner(service, made, 'POST', '/payouts', body)).body.data;
}

export type ShownPayout = {
  id: number;
  partner_id: number;
  currency: string;
  amount_cents: number;
  status: PayoutRow['status'];
};

/** The stored lines of a payout: the amount of each commission. */
export async function linesOf(service: TestService, payoutId: number): Promise<Record<string, number>> {
  const rows = await service.sql<{ id: number; cents: number }>(
    'select commission_id as id, amount_cents as cents from payout_lines where payout_id = $1 order by 1',
    [payoutId],
  );
  return Object.fromEntries(rows.map(({ id, cents }) => [id, cents]));
}

/** The stage of a commission, and the amount due on it. */
export async function dueOn(service: TestService, { commissionId }: Sold) {
  const [row] = await service.sql<{ stage: string; due: number }>(
    'select stage, due_cents as due from commissions where id = $1',
    [commissionId],
  );
  return row;
}
