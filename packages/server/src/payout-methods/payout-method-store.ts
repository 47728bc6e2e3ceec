import type { Queryable } from '../db/db.ts';

export type PayoutMethodKind = 'paypal' | 'wise' | 'iban' | 'us_bank' | 'other';

/** How a partner is paid, as a program sees it. */
export type PartnerMethod = {
  partnerId: number;
  methodId: number;
  kind: PayoutMethodKind;
  detailsSealed: string;
  masked: string;
  holderName: string;
  holderKind: 'person' | 'company';
  country: string | null;
  /** The program may use it from then on. */
  usableFrom: Date;
};

// Somebody who takes a partner over waits as long as somebody who changes their method.
const LIST_PARTNER_METHODS = `
  select p.id as "partnerId", m.id as "methodId", m.kind, m.details_sealed as "detailsSealed", m.masked,
    m.holder_name as "holderName", m.holder_kind as "holderKind", m.country,
    case when l.method_id is not null then m.created_at
      else greatest(m.usable_from, p.account_changed_at + interval '72 hours') end as "usableFrom"
  from partners p join payout_methods m on m.user_id = p.user_id and m.replaced_at is null
    left join payout_method_lifts l on l.program_id = $1 and l.method_id = m.id
  where p.id = any ($2::bigint[])`;

/** The methods of these partners of the program. Those without a method are left out. */
export function listPartnerMethods(db: Queryable, programId: number, partnerIds: number[]): Promise<PartnerMethod[]> {
  return db.query<PartnerMethod>(LIST_PARTNER_METHODS, [programId, partnerIds]);
}
