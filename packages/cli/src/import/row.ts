/** A row as the service takes it: a partner, and what belongs to them. */
export type Row = {
  partner: { email: string; name: string; external_id: string };
  links: { parameter: string; code: string; destination_url?: string }[];
  coupons: string[];
  customers: { external_id: string; processor_customer_id?: string; email?: string; first_seen_at?: string }[];
  balances: Balance[];
};

export type Balance = { currency: string; pending_cents: number; approved_cents: number; paid_cents: number };
