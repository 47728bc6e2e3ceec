import type { TestService } from '../service.ts';
import { newId } from '../sold.ts';
import { METHODS, type MethodKind } from './payees.ts';

/** Adds so many partners to the program, each with an account, a payout method and a bonus of 20.00 that is due. */
export async function manyPayees(
  service: Pick<TestService, 'sql' | 'time'> & { ctx: Pick<TestService['ctx'], 'encryption'> },
  { program, workspaceId }: { program: { id: number }; workspaceId: number },
  count: number,
  kind: MethodKind = 'paypal',
): Promise<void> {
  const prefix = newId('many');
  const sealed = service.ctx.encryption.seal(JSON.stringify(METHODS[kind]));
  const values = [count, prefix, service.time];
  await service.sql(
    `insert into users (id, name, email, email_verified, created_at, updated_at)
     select $2 || '-' || n, 'Payee ' || n, $2 || '-' || n || '@people.test', true, $3, $3 from generate_series(1, $1::int) n`,
    values,
  );
  await service.sql(
    `insert into payout_methods
       (user_id, kind, details_sealed, masked, holder_name, holder_kind, country, usable_from, created_at)
     select $2 || '-' || n, $4, $5, 'masked', 'Payee ' || n, 'person', 'DE', $3, $3 from generate_series(1, $1::int) n`,
    [...values, kind, sealed],
  );
  await service.sql(
    `insert into partners (advertiser_id, name, email, user_id, created_at)
     select $4, 'Payee ' || n, $2 || '-' || n || '@people.test', $2 || '-' || n, $3 from generate_series(1, $1::int) n`,
    [...values, workspaceId],
  );
  await service.sql(
    `insert into memberships (program_id, partner_id, created_at)
     select $3, id, $2 from partners where starts_with(user_id, $1 || '-')`,
    [prefix, service.time, program.id],
  );
  await service.sql(
    `insert into commissions (program_id, partner_id, kind, commission_type, commission_rate, commission_cents, currency,
       reason, stage, approve_after, approved_at, created_at)
     select $3, id, 'bonus', 'fixed', 0, 2000, 'USD', 'Agreed', 'approved', $2, $2, $2
     from partners where starts_with(user_id, $1 || '-')`,
    [prefix, service.time, program.id],
  );
}
