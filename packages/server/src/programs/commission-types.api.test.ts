import { COMMISSION_TYPE_NAMES } from '@svc/contract';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

it('the database accepts the commission types of the contract, and no others', async () => {
  const checks = await service.sql<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'c' and conrelid = 'programs'::regclass and pg_get_constraintdef(oid) like '%commission_type%'`,
  );
  expect(checks).toHaveLength(1);
  const accepted = [...(checks[0]?.definition ?? '').matchAll(/'([a-z_]+)'::text/g)].map(([, name]) => name);
  expect(accepted).toEqual(COMMISSION_TYPE_NAMES);
});
